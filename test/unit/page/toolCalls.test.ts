import assert from 'node:assert/strict';
import { toolKinds } from '../../../src/shared/transcript/content';
import { until } from '../../ui/webview/harness/composing';
import { agent, message, toolCall, user } from '../../ui/webview/harness/entries';
import { useTranscripts } from './harness/transcriptPage';

const picture = { type: 'image', mimeType: 'image/png' } as const;

describe('tool calls and the other entries', () => {
  const open = useTranscripts();

  it('TO-3: every kind has an icon of its own', async () => {
    const { page } = await open({
      entries: toolKinds.map((toolKind) => toolCall({ toolKind, title: `A ${toolKind}` })),
    });
    await page.getByText('A other').waitFor();
    const icons = await page
      .locator('.tool-icon')
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('class')));
    assert.equal(new Set(icons).size, toolKinds.length);
  });

  it('says what is missing from an entry that is too large, and that an entry that wasn’t sent can be', async () => {
    const data = 'A'.repeat(7_000_000);
    const images = { kind: 'agent', blocks: [1, 2].map(() => ({ ...picture, data })) } as const;
    const { page, host } = await open({
      entries: [
        ...Array.from({ length: 6 }, () => images),
        toolCall({ title: 'T'.repeat(2_000_000) }),
      ],
    });
    await page.getByRole('button', { name: /^Too large to show in full here/ }).click();
    await until(() => host.intentsOf('openText').length > 0, page);
    assert.deepEqual(await host.sent('openText'), [
      { type: 'openText', index: 6, part: 'whole', item: 0 },
    ]);
    await page.keyboard.press('Control+Home');
    await page
      .getByRole('button', { name: /^Large entry, hidden/ })
      .first()
      .click();
    await until(() => host.intentsOf('showRow').length > 0, page);
    assert.equal((await host.sent('showRow')).length, 1);
  });

  it('TO-4, T-16, V2-TOOL-5: every status is said in words, and only a running call turns', async () => {
    const statuses = [
      ['pending', 'Pending'],
      ['in_progress', 'Running'],
      ['paused', 'Paused'],
      ['completed', 'Completed'],
      ['failed', 'Failed'],
      ['cancelled', 'Canceled'],
      ['interrupted', 'Interrupted'],
    ] as const;
    const { page } = await open({
      entries: statuses.map(([status]) => toolCall({ status, title: `Is ${status}` })),
    });
    for (const [status, word] of statuses) {
      await page
        .getByRole('article', { name: `Tool call, Is ${status}, ${word}` })
        .getByText(word, { exact: true })
        .waitFor({ state: 'attached' });
    }
    assert.equal(await page.locator('.tool-status .codicon-modifier-spin').count(), 1);
  });

  it('TO-6: a chip opens the file that it names, also when a folder before it has none', async () => {
    const { page, host } = await open({
      entries: [
        toolCall({
          toolKind: 'search',
          title: 'Searching /project/shop/src/a.ts',
          locations: [{ path: '/project/shop' }, { path: '/project/shop/src/a.ts' }],
        }),
      ],
    });
    await page.getByText('Searching src/a.ts', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'src/a.ts', exact: true }).click();
    assert.deepEqual(await host.sent('openLocation'), [
      { type: 'openLocation', index: 0, location: 1 },
    ]);
  });

  it('TE-9: the output of a command has its colors, is there unasked, and says when it has failed', async () => {
    const text = '\u001b[31mnot ok\u001b[0m 2 tax\n';
    const { page } = await open({
      entries: [
        toolCall({
          toolKind: 'execute',
          title: 'npm test',
          status: 'completed',
          content: [{ type: 'content', block: { type: 'text', text } }],
          rawOutput: { output: text, metadata: { exit: 3 } },
        }),
      ],
    });
    await page.locator('.terminal .terminal-fg-1', { hasText: 'not ok' }).waitFor();
    await page.getByText('Exit code 3', { exact: true }).waitFor();
    assert.equal(await page.getByText('[31m').count(), 0);
  });

  it('PL-1: a to-do list that is an ordinary call is drawn as a list', async () => {
    const todos = [
      { content: 'Read the cart', status: 'completed', priority: 'medium' },
      { content: 'Change the rounding', status: 'in_progress', priority: 'high' },
      { content: 'Run the tests', status: 'pending', priority: 'low' },
    ];
    const text = JSON.stringify(todos, undefined, 2);
    const { page } = await open({
      entries: [
        agent('First a list.'),
        toolCall({
          toolKind: 'other',
          title: '3 todos',
          rawInput: { todos },
          content: [{ type: 'content', block: { type: 'text', text } }],
          rawOutput: { output: text },
        }),
        agent('Now the work.'),
      ],
    });
    await page.locator('.plan-item.plan-completed', { hasText: 'Read the cart' }).waitFor();
    await page.locator('.plan-item.plan-in_progress', { hasText: 'Change the rounding' }).waitFor();
    await page.locator('.plan-item.plan-pending', { hasText: 'Run the tests' }).waitFor();
    assert.equal(await page.getByText('"status"').count(), 0);
  });

  it('TO-5: a long change is folded, a huge one is left to the diff editor', async () => {
    const lines = (count: number, word: string): string =>
      Array.from({ length: count }, (_, line) => `${word} ${line}\n`).join('');
    const change = (count: number) =>
      toolCall({
        toolKind: 'edit',
        content: [
          {
            type: 'diff' as const,
            path: `/project/shop/src/${count}.ts`,
            oldText: lines(count, 'old'),
            newText: lines(count, 'new'),
          },
        ],
      });
    const { page, host } = await open({ entries: [change(40), change(5000)] });
    const fold = page.getByRole('button', { name: 'Changed lines of src/40.ts' });
    await fold.waitFor();
    assert.equal(await page.locator('.diff-line').count(), 0);
    await fold.click();
    await page.locator('.diff-line-added', { hasText: 'new 39' }).waitFor();
    await page
      .getByRole('button', { name: /in the diff editor/ })
      .last()
      .click();
    assert.deepEqual(await host.sent('openDiff'), [{ type: 'openDiff', index: 1, content: 0 }]);
  });

  it('TO-7: raw input and output stay folded, however long, and open in full', async () => {
    const { page, host } = await open({
      entries: [
        toolCall({
          title: 'Query',
          rawInput: { query: 'select 1' },
          rawOutput: { rows: Array.from({ length: 20_000 }, (_, id) => ({ id })) },
        }),
      ],
    });
    await page.getByRole('button', { name: /Query/ }).click();
    assert.equal(await page.getByText('"query"').count(), 0);
    await page.getByRole('button', { name: 'Input' }).click();
    await page.getByText('select 1').waitFor();
    await page.getByRole('button', { name: 'Output' }).click();
    await page.getByText('"rows"').waitFor();
    await page.getByRole('button', { name: /^Show all/ }).click();
    assert.deepEqual(await host.sent('openText'), [
      { type: 'openText', index: 0, part: 'rawOutput', item: 0 },
    ]);
  });

  it('TO-8: the programmatic name is a secondary label', async () => {
    const { page } = await open({ entries: [toolCall({ title: 'Look', name: 'mcp__fs__read' })] });
    await page.locator('.tool-name', { hasText: 'mcp__fs__read' }).waitFor();
  });

  it('TO-1: a failed call shows why without a click', async () => {
    const { page } = await open({
      entries: [
        toolCall({
          status: 'failed',
          content: [{ type: 'content', block: { type: 'text', text: 'No such file' } }],
        }),
      ],
    });
    await page.getByText('No such file').waitFor();
  });

  it('TE-9: terminals have colors, and the last lines of a long output come first', async () => {
    const output = `${Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\r\n')}\r\n\u001b[31mred\u001b[0m \u001b[38;2;1;2;3mfixed\u001b[0m \u001b]0;title\u0007end`;
    const { page, errors } = await open({
      entries: [
        toolCall({
          toolKind: 'execute',
          content: [
            { type: 'terminal', terminalId: 't1' },
            { type: 'terminal', terminalId: 't2' },
          ],
          terminalOutput: new Map([['t1', output]]),
        }),
      ],
    });
    await page.locator('.terminal-fg-1', { hasText: 'red' }).waitFor();
    assert.equal(
      await page.getByText('fixed').evaluate((element) => getComputedStyle(element).color),
      'rgb(1, 2, 3)',
    );
    assert.equal(await page.getByText('title').count(), 0);
    assert.equal(await page.getByText('line 100', { exact: false }).count(), 0);
    await page.getByRole('button', { name: /^Show \d+ earlier lines$/ }).click();
    await page.getByText('line 100', { exact: false }).waitFor();
    await page.getByText('The output of this terminal wasn’t kept.').waitFor();
    assert.deepEqual(errors, []);
  });

  it('TE-9, CO-9: the last screen of a terminal is shown, with links that the host checks', async () => {
    const link = (address: string, text: string): string =>
      `\u001b]8;;${address}\u001b\\\u001b[36m${text}\u001b[0m\u001b]8;;\u001b\\`;
    const output = `waiting\r\nworking\r\n\u001b[2A\u001b[Jsee ${link('https://example.org/a', 'the report')}, ${link('command:evil', 'not this')} and ${link('src/a.ts', 'a file')}\r\n`;
    const { page, host, errors } = await open({
      entries: [
        toolCall({
          toolKind: 'execute',
          content: [{ type: 'terminal', terminalId: 't1' }],
          terminalOutput: new Map([['t1', output]]),
        }),
      ],
    });
    await page.getByText('see the report, not this and a file').waitFor();
    assert.equal(await page.getByText(/waiting|working/).count(), 0);
    assert.deepEqual(await page.locator('.terminal [role=link]').allTextContents(), [
      'the report',
      'a file',
    ]);
    await page.getByRole('link', { name: 'the report' }).click();
    assert.deepEqual(await host.sent('openLink'), [
      { type: 'openLink', href: 'https://example.org/a' },
    ]);
    assert.deepEqual(errors, []);
  });

  it('PL-1: there is one plan, replaced in its place', async () => {
    const item = (content: string, status: 'pending' | 'completed') =>
      ({ content, priority: 'medium', status }) as const;
    const { page, host } = await open({
      entries: [
        { kind: 'plan', items: [item('a', 'pending'), item('b', 'pending'), item('c', 'pending')] },
        agent('Working'),
      ],
    });
    await page.getByText('0 of 3 done').waitFor();
    host.replace(0, { kind: 'plan', items: [item('only', 'completed')] });
    await page.getByText('1 of 1 done').waitFor();
    assert.equal(await page.locator('.plan-item').count(), 1);
  });

  it('thoughts and long prompts are folded', async () => {
    const { page } = await open({
      entries: [user('word '.repeat(1000)), message('thought', 'First this.\n\nThen **that**.')],
    });
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
    const thought = page.getByRole('button', { name: /Thought First this/ });
    assert.equal(await page.locator('strong').count(), 0);
    await thought.click();
    await page.locator('strong', { hasText: 'that' }).waitFor();
  });

  it('CP-2: a compaction is a line of its own, with what the agent kept', async () => {
    const { page } = await open({
      entries: [
        {
          kind: 'compaction',
          compactionId: 'c',
          status: 'completed',
          summary: [{ type: 'text', text: 'It was about prices.' }],
        },
        { kind: 'compaction', compactionId: 'd', status: 'failed', summary: [], error: 'Too long' },
        { kind: 'compaction', compactionId: 'e', status: 'dreaming', summary: [] },
      ],
    });
    await page.getByRole('button', { name: 'Context compacted' }).click();
    await page.getByText('It was about prices.').waitFor();
    await page.getByText('Too long').waitFor();
    await page.getByText('dreaming').waitFor();
  });

  it('folds everything at a command', async () => {
    const { page, host } = await open({
      entries: [
        {
          kind: 'plan',
          items: [{ content: 'Plan it', priority: 'low', status: 'pending' }],
        },
      ],
    });
    await page.getByText('Plan it').waitFor();
    await host.send({ type: 'fold', kind: 'all', open: false });
    await page.getByText('Plan it').waitFor({ state: 'detached' });
  });

  it('V2-PLAN-3, V2-PLAN-4: several plans, as a text, a file or something unknown; a removed one is gone', async () => {
    const { page, host } = await open({
      entries: [
        {
          ...{ kind: 'plan', planId: 'a' },
          items: [
            { content: 'Read the cart', priority: 'medium', status: 'completed' },
            { content: 'Ask the bank', priority: 'medium', status: 'cancelled' },
          ],
        },
        {
          ...{ kind: 'plan', planId: 'b', items: [] },
          blocks: [{ type: 'text', text: '1. **Round** the prices\n2. Run the tests' }],
        },
        {
          ...{ kind: 'plan', planId: 'c', items: [] },
          blocks: [{ type: 'resource_link', uri: 'file:///project/shop/PLAN.md', name: 'PLAN.md' }],
        },
        {
          ...{ kind: 'plan', planId: 'd', items: [] },
          blocks: [{ type: 'unknown', label: 'gantt' }],
        },
        { kind: 'plan', planId: 'e', items: [] },
        agent('Now the work.'),
      ],
    });
    await page.getByText('Now the work.').waitFor();
    await page.locator('.plan-blocks strong', { hasText: 'Round' }).waitFor();
    await page.getByText(/this version of ACP Sessions doesn’t know: gantt/).waitFor();
    await page.locator('.plan-cancelled', { hasText: 'Ask the bank' }).waitFor();
    assert.equal(await page.locator('.plan').count(), 4);
    await page.getByRole('button', { name: 'PLAN.md' }).click();
    assert.deepEqual(await host.sent('openLink'), [
      { type: 'openLink', href: 'file:///project/shop/PLAN.md' },
    ]);
  });

  it('V2-TERM-5, V2-TERM-6: a terminal of the agent’s says how it ended, and can’t be opened here', async () => {
    const { page } = await open({
      entries: [
        toolCall({
          toolKind: 'execute',
          content: [{ type: 'terminal', terminalId: 't' }],
          terminalOutput: new Map([['t', 'caf\ufffd\n']]),
          terminals: new Map([
            ['t', { kind: 'exited', exitCode: -1, signal: null, isAgents: true }],
          ]),
        }),
      ],
    });
    await page.getByText('Exit code -1').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Open in Terminal' }).count(), 0);
  });
});
