import assert from 'node:assert/strict';
import type { SavedState } from '../../../src/shared/transcript/webviewMessages';
import { agent, conversation, message, toolCall, user } from '../../ui/webview/harness/entries';
import { useTranscripts } from './harness/transcriptPage';

declare function savedState(): SavedState;

const code = '```ts\nlet first = 1;\n```\n\n- in a list\n\n  ```sh\n  npm test\n  ```\n';

describe('reading a transcript', () => {
  const open = useTranscripts();

  it('folds and unfolds by kind, and does the same with what comes', async () => {
    const { page, host } = await open({
      entries: [
        user('Go'),
        message('thought', 'Thinking\n\nabout everything'),
        toolCall({ rawInput: { path: 'found-me' } }),
      ],
    });
    await page.getByRole('button', { name: /Thought/ }).waitFor();
    await host.send({ type: 'fold', kind: 'thought', open: true });
    await page.getByText('about everything', { exact: true }).waitFor();
    assert.equal(await page.getByText('found-me').count(), 0);
    await host.send({ type: 'fold', kind: 'tool', open: true });
    await page.getByText('found-me').waitFor();
    host.append(message('thought', 'More\n\nnew and open'));
    await page.getByText('new and open', { exact: true }).waitFor();
    await host.send({ type: 'fold', kind: 'all', open: false });
    await page.getByText('found-me').waitFor({ state: 'detached' });
    await page.getByText('new and open', { exact: true }).waitFor({ state: 'detached' });
  });

  it('keeps its folds over a reload', async () => {
    const entries = [
      user('Go'),
      message('thought', 'One\n\nfirst thought'),
      message('thought', 'Two\n\nsecond thought'),
      toolCall({ rawInput: { path: 'found-me' } }),
    ];
    const first = await open({ entries });
    await first.page.getByText('Thought').first().waitFor();
    await first.host.send({ type: 'fold', kind: 'thought', open: true });
    await first.page.getByText('second thought', { exact: true }).waitFor();
    await first.page
      .getByRole('button', { name: /Thought/ })
      .first()
      .click();
    await first.page.getByText('first thought', { exact: true }).waitFor({ state: 'detached' });
    await first.page.waitForFunction(() => savedState().folds.parts.length === 1);

    const again = await open({ entries, state: await first.state() });
    await again.page.getByText('second thought', { exact: true }).waitFor();
    assert.equal(await again.page.getByText('first thought', { exact: true }).count(), 0);
    assert.equal(await again.page.getByText('found-me').count(), 0);
  });

  it('tells VS Code what its context menu is opened on', async () => {
    const { page } = await open({ entries: [user('Go'), agent(code)] });
    const contexts = await page
      .getByText('npm test')
      .evaluate((element) =>
        [element.closest('figure'), element.closest('article')].map((around) =>
          around?.getAttribute('data-vscode-context'),
        ),
      );
    assert.deepEqual(contexts, [
      '{"acpSessionsCode":true}',
      '{"webviewSection":"entry","entry":1}',
    ]);
  });

  it('copies the row that the keyboard is at', async () => {
    const { page, host } = await open({ entries: conversation(50) });
    await page.getByText('Answer 49').waitFor();
    await host.send({ type: 'reveal', index: 31 });
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-index') === '31');
    await host.send({ type: 'copy', what: 'turn' });
    while (host.intentsOf('copy').length < 1) {
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    assert.deepEqual(await host.sent('copy'), [
      { type: 'copy', what: 'turn', index: 31, last: 31 },
    ]);
  });
});
