import assert from 'node:assert/strict';
import { prompt, running, until } from './harness/composing';
import { useTranscripts } from './harness/transcriptPage';

describe('queued prompts and prompts for the running turn', () => {
  const open = useTranscripts();

  it('PR-5: shows queued prompts, each of which can be edited or taken back', async () => {
    const queue = [
      { id: 4, draft: { text: '\nThen run the tests\nall of them', attachments: [] } },
      { id: 5, draft: { text: '', attachments: [{ type: 'file', uri: 'file:///a', name: 'a' }] } },
    ] as const;
    const { page, host } = await open({ session: { turn: running, queue } });
    const rows = page.getByRole('region', { name: 'Queued prompts' }).getByRole('listitem');
    await rows.first().waitFor();
    assert.deepEqual(await rows.allInnerTexts(), [
      'Then run the tests all of them',
      '1 attachment',
    ]);
    await rows.first().getByRole('button', { name: 'Edit' }).click();
    await until(() => host.intentsOf('editQueued').length === 1, page);
    await prompt(page).fill('what I was at');
    await host.send({ type: 'edit', draft: queue[0].draft });
    host.setSession({ queue: [queue[1]] });
    await page.waitForFunction(() =>
      (document.activeElement as HTMLTextAreaElement).value.includes('run the tests'),
    );
    assert.equal(
      await prompt(page).inputValue(),
      '\nThen run the tests\nall of them\n\nwhat I was at',
    );
    await rows.first().getByRole('button', { name: 'Remove' }).click();
    await until(() => host.intentsOf('removeQueued').length === 1, page);
    assert.deepEqual(await host.sent('editQueued'), [{ type: 'editQueued', id: 4 }]);
    assert.deepEqual(await host.sent('removeQueued'), [{ type: 'removeQueued', id: 5 }]);
  });
});
