import assert from 'node:assert/strict';
import { toolKinds } from '../../../src/shared/transcript/content';
import { screenshot } from '../harness/screenshot';
import { until } from './harness/composing';
import { agent, message, toolCall, user } from './harness/entries';
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

  it('TO-5: a change shows its lines and opens in the diff editor', async () => {
    const { page, host } = await open({
      entries: [
        user('Edit'),
        toolCall({
          toolKind: 'edit',
          title: 'Edit a.ts',
          locations: [{ path: '/project/shop/src/a.ts' }, { path: '/tmp/b.ts', line: 7 }],
          content: [
            {
              type: 'diff',
              path: '/project/shop/src/a.ts',
              oldText: 'one\ntwo\n',
              newText: 'one\n2\n',
            },
          ],
        }),
      ],
    });
    await page.locator('.diff-line-removed', { hasText: 'two' }).waitFor();
    await page.locator('.diff-line-added', { hasText: '2' }).waitFor();
    await page.getByText('+1', { exact: true }).waitFor();
    await page.getByText('−1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'src/a.ts', exact: true }).click();
    assert.deepEqual(await host.sent('openDiff'), [{ type: 'openDiff', index: 1, content: 0 }]);
    await page.getByRole('button', { name: '/tmp/b.ts:7' }).click();
    assert.deepEqual(await host.sent('openLocation'), [
      { type: 'openLocation', index: 1, location: 1 },
    ]);
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
    await screenshot(page, 'tool-command-failed');
  });

  it('T-74: a command that the title doesn’t say stands below it, as it is, and can be opened whole', async () => {
    const run = {
      toolKind: 'execute',
      content: [{ type: 'content', block: { type: 'text', text: 'done' } }],
    } as const;
    const { page, host } = await open({
      entries: [
        toolCall({ ...run, title: '`npm test`', rawInput: { command: 'npm test' } }),
        toolCall({
          ...run,
          title: 'Run the tests',
          rawInput: { command: 'npm test -- "<b>"\u202e', description: 'Run the tests' },
        }),
        toolCall({ ...run, title: 'Write a file', rawInput: { command: 'x'.repeat(25_000) } }),
      ],
    });
    const boxes = page.locator('.command pre');
    await boxes.first().waitFor();
    assert.equal(await boxes.first().textContent(), 'npm test -- "<b>"⟨U+202E⟩');
    assert.equal(await boxes.count(), 2, 'none below a title that is the command');
    assert.ok(((await boxes.last().boundingBox())?.height ?? Infinity) < 300);
    await page.getByRole('button', { name: /^Show all \(5,000/ }).click();
    assert.deepEqual(await host.sent('openText'), [
      { type: 'openText', index: 2, part: 'command', item: 0 },
    ]);
    await screenshot(page, 'tool-command-described');
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
    await screenshot(page, 'tool-todos');
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
    await screenshot(page, 'plans');
    await page.getByRole('button', { name: 'PLAN.md' }).click();
    assert.deepEqual(await host.sent('openLink'), [
      { type: 'openLink', href: 'file:///project/shop/PLAN.md' },
    ]);
  });

  it('V2-MSG-4: a cleared message has no row, is no turn and no stop for keys, and comes back with content', async () => {
    const cleared = { kind: 'agent', messageId: 'm', blocks: [] } as const;
    const { page, host } = await open({
      entries: [
        { kind: 'user', messageId: 'u0', blocks: [] },
        user('Question'),
        cleared,
        agent('Answer'),
        { kind: 'thought', blocks: [] },
      ],
    });
    const rows = page.locator('article');
    await page.getByText('Answer').waitFor();
    assert.equal(await rows.count(), 2);
    await page.getByRole('heading', { name: 'Turn 1: you' }).waitFor({ state: 'attached' });
    const [first, second] = [await rows.first().boundingBox(), await rows.last().boundingBox()];
    const gap = (second?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0);
    assert.ok(Math.abs(gap) < 2, `${gap} px between them`);
    await page.locator('.scroller').focus();
    await page.keyboard.press('Home');
    await page.locator('article[data-index="1"]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('article[data-index="3"]:focus').waitFor();
    host.replace(2, { ...cleared, blocks: [{ type: 'text', text: 'Back again' }] });
    await page.getByText('Back again').waitFor();
    assert.equal(await rows.count(), 3);
    host.replace(2, cleared);
    await page.getByText('Back again').waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 2);
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
