import assert from 'node:assert/strict';
import { screenshot } from '../harness/screenshot';
import { agent } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

const fence = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\``;

const flow = `flowchart LR
    A[Prompt] --> B{Allowed?}
    B -->|Yes| C[Run<br/>the tool]
    B -- No --> D[/Tell the agent/]
    subgraph Host
      C --> E[(Files)]
    end`;

const sequence = `sequenceDiagram
    participant U as User
    participant A as Agent
    U->>A: session/prompt
    loop each update
      A-->>U: session/update
    end
    A-->>U: end_turn`;

describe('Mermaid diagrams in messages', () => {
  const open = useTranscripts();

  it('are drawn as pictures in the colors of the theme, with their source one click away', async () => {
    const { page, errors, requests } = await open({
      entries: [
        agent(`The way of a call:\n\n${fence(flow)}\n\nand of a turn:\n\n${fence(sequence)}`),
      ],
    });
    const diagrams = page.getByRole('figure', { name: 'Diagram' });
    await diagrams.nth(1).waitFor();
    await screenshot(page, 'diagrams');
    const foreground = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-foreground'),
    );
    const address = (await diagrams.first().locator('img').getAttribute('src')) ?? '';
    assert.ok(decodeURIComponent(address).includes(`--fg:${foreground.trim()}`), foreground);
    assert.ok(!address.includes('import'));
    await page.evaluate(() =>
      document.documentElement.style.setProperty('--vscode-editor-foreground', '#123456'),
    );
    await page.locator('img[src*="%23123456"]').first().waitFor();
    await diagrams.first().hover();
    await diagrams.first().getByRole('button', { name: 'Show Source' }).click();
    assert.match(await diagrams.first().locator('pre').innerText(), /A\[Prompt\] --> B/);
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
  });

  it('run nothing and load nothing, whatever their text is', async () => {
    const hostile = [
      'flowchart TD\n A[<script>top.hit = 1</script>] --> B["x\\" onload=top.hit=1"]',
      'flowchart TD\n A[<img src=x onerror=top.hit=1>] --> B\n click A "javascript:top.hit=1"',
      'flowchart TD\n A --> B\n style A fill:url(http://example.com/a),stroke:"><script>top.hit=1</script>',
      'sequenceDiagram\n A->>B: </text><script>top.hit = 1</script><foreignObject><iframe src="http://example.com">',
      '%%{init: {"securityLevel": "loose", "themeCSS": "@import url(http://example.com)"}}%%\nflowchart TD\n A --> B',
    ];
    const { page, errors, requests } = await open({
      entries: [...hostile.map((source) => agent(fence(source))), agent(fence(flow))],
      viewport: { width: 900, height: 4000 },
    });
    await page.locator('img[alt^="flowchart LR"]').waitFor();
    assert.equal(await page.locator('figure').count(), hostile.length + 1);
    assert.equal(await page.evaluate(() => 'hit' in globalThis), false);
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
  });

  it('count as code where code after them is inserted or opened', async () => {
    const text = `${fence(flow)}\n\n$$\nx^2\n$$\n\n${fence('gantt')}\n\n\`\`\`ts\nlet x;\n\`\`\``;
    const { page, host } = await open({ entries: [agent(text)] });
    await page.getByRole('figure', { name: 'Diagram' }).waitFor();
    await page.getByRole('figure', { name: 'Formula' }).waitFor();
    const code = page.getByRole('figure', { name: 'Code, ts' });
    await code.hover();
    await code.getByRole('button', { name: 'Open in a New Editor' }).click();
    const [used] = await host.sent('useCode');
    assert.equal(used?.at, 3);
  });

  it('of other kinds, broken or too large stay text', async () => {
    const large = `flowchart TD\n${Array.from({ length: 2000 }, (_, at) => `N${at} --> N${(at * 7) % 1999}`).join('\n')}`;
    const { page, errors } = await open({
      entries: ['gantt\n title Plan', 'flow', large]
        .map((source) => agent(fence(source)))
        .concat(agent(fence(flow))),
      viewport: { width: 900, height: 2500 },
    });
    await page.getByRole('figure', { name: 'Diagram' }).waitFor();
    assert.equal(await page.locator('figure.code').count(), 3);
    assert.deepEqual(errors, []);
  });
});
