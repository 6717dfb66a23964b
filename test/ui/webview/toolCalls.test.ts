import assert from 'node:assert/strict';
import { screenshot } from '../harness/screenshot';
import { agent, toolCall, user } from './harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('tool calls and the other entries', () => {
  const open = useTranscripts();

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
});
