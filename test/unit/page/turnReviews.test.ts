import assert from 'node:assert/strict';
import type { Entry } from '../../../src/shared/transcript/entries';
import { toolCall, user } from '../../ui/webview/harness/entries';
import { entries, review, second, turn } from '../../ui/webview/harness/scenes/turnReviews';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

/** The end of a turn, by the number of its files. */
function endOf(page: Page, files: string) {
  return page.getByRole('group', { name: `This turn changed ${files}` });
}

describe('the end of a turn that changed files', () => {
  const open = useTranscripts();

  it('says how much, and offers to review, keep and undo it', async () => {
    const { page, host } = await open({ entries, session: { review: review([turn(), second]) } });
    const end = endOf(page, '3 files, 12 lines added, 4 lines removed');
    await end.getByText('3 files', { exact: true }).waitFor();
    assert.match((await end.textContent()) ?? '', /\+12.*−4/);
    for (const name of ['Review', 'Keep', 'Undo']) {
      await end.getByRole('button', { name }).click();
    }
    await endOf(page, '1 file,').getByRole('button', { name: 'Keep' }).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.sent('reviewTurn'), [
      { type: 'reviewTurn', turn: 1, act: 'show' },
      { type: 'reviewTurn', turn: 1, act: 'keep' },
      { type: 'reviewTurn', turn: 1, act: 'undo' },
      { type: 'reviewTurn', turn: 2, act: 'keep' },
    ]);
  });

  it('offers to send the comments that wait, at the last of them', async () => {
    const shown = { ...review([turn(), second]), comments: 3 };
    const { page, host } = await open({ entries, session: { review: shown } });
    await endOf(page, '1 file,').getByRole('button', { name: 'Send 3 Comments' }).click();
    assert.equal(await page.getByRole('button', { name: /^Send \d/ }).count(), 1);
    assert.deepEqual(await host.sent('reviewTurn'), [
      { type: 'reviewTurn', turn: 2, act: 'sendComments' },
    ]);
  });

  it('names what may be another session’s below it, and shows it apart', async () => {
    const uncertain = [{ turn: 1, last: turn().last, files: 2 }];
    const { page, host } = await open({
      entries,
      session: { review: { ...review([turn()]), uncertain } },
    });
    const note = page.getByText('2 files have changed while other sessions were at work here');
    await note.getByRole('button', { name: 'Show' }).click();
    assert.deepEqual(await host.sent('reviewTurn'), [
      { type: 'reviewTurn', turn: 1, act: 'showUncertain' },
    ]);
  });

  it('stands below the turn’s last entry, also when that shares a row with others', async () => {
    const look = (id: string): Entry => toolCall({ toolCallId: id, title: `Read ${id}` });
    const { page } = await open({
      entries: [user('Look around'), look('a'), look('b'), look('c'), user('Next')],
      session: { review: review([turn({ last: 3 })]) },
    });
    const row = page.getByRole('article').filter({ has: endOf(page, '3 files') });
    await row.waitFor();
    assert.equal(await row.count(), 1);
    assert.match((await row.textContent()) ?? '', /3 files/);
  });

  it('says of a turn that the agent began that no prompt did, also below one that ends there, too', async () => {
    const own = turn({ turn: 2, prompt: 0, isUnprompted: true, files: 2, isLate: true });
    const { page, host } = await open({
      entries,
      session: { review: review([turn({ state: 'kept' }), own]) },
    });
    const end = page.getByRole('group', { name: 'A turn that the agent began changed 2 files' });
    await end.getByRole('button', { name: 'Undo' }).click();
    assert.deepEqual(await host.sent('reviewTurn'), [{ type: 'reviewTurn', turn: 2, act: 'undo' }]);
    const row = page.getByRole('article').filter({ has: end });
    assert.match(
      (await row.textContent()) ?? '',
      /3 files.*Kept.*2 files.*began this turn by itself.*before the record of this turn began/,
    );
  });

  it('says below a turn without changes why none could be recorded, quietly and without actions', async () => {
    const session = {
      review: { turns: [second], unrecorded: [{ last: 3, reason: 'tooManyFiles' }], diffs: [] },
    } as const;
    const { page } = await open({ entries, session });
    const row = page.getByRole('article').filter({ hasText: 'Sums are in cents now.' });
    await row.getByText('the folder has too many files').waitFor();
    assert.equal(await row.getByRole('button', { name: 'Review' }).count(), 0);
    assert.equal(await endOf(page, '3 files').count(), 0);
  });

  it('says what was decided as soon as it is, wherever that happened', async () => {
    const { page, host } = await open({ entries, session: { review: review([turn(), second]) } });
    const end = endOf(page, '3 files');
    await end.getByRole('button', { name: 'Undo' }).waitFor();
    for (const [rest, text] of [
      [{ state: 'partly' }, 'Partly decided'],
      [{ state: 'partly', isDecided: true }, 'Partly kept'],
      [{ state: 'kept' }, 'Kept'],
      [{ state: 'undone' }, 'Undone'],
    ] as const) {
      host.setSession({ review: review([turn(rest), second]) });
      await end.getByRole('status').getByText(text, { exact: true }).waitFor();
      const buttons = await end.getByRole('button').allTextContents();
      const all = text === 'Partly decided' ? ['Review', 'Keep', 'Undo'] : ['Review'];
      assert.deepEqual(buttons, all, text);
    }
  });

  it('leaves the keyboard where it was when its button goes', async () => {
    const { page, host } = await open({ entries, session: { review: review([turn(), second]) } });
    await endOf(page, '3 files').getByRole('button', { name: 'Keep' }).focus();
    host.setSession({ review: review([turn({ state: 'kept' }), second]) });
    await endOf(page, '3 files').getByText('Kept').waitFor();
    const isInList = await page.evaluate(
      () => document.activeElement?.closest('.scroller') !== null,
    );
    assert.ok(isInList);
  });

  it('says quietly what the record lacks', async () => {
    const turns = [turn({ incomplete: 'noGit' }), { ...second, isLate: true as const }];
    const { page } = await open({ entries, session: { review: review(turns) } });
    await page
      .getByText('Only changes that the agent reports can be reviewed: Git wasn’t found.')
      .waitFor();
    await page.getByText('before the record of this turn began').waitFor();
  });

  it('marks each diff that was decided, or that the file no longer holds', async () => {
    const diffs = [
      { index: 1, item: 0, fate: 'kept' },
      { index: 2, item: 0, fate: 'changedSince' },
    ] as const;
    const turns = [turn({ state: 'partly' }), { ...second, state: 'undone' as const }];
    const { page } = await open({ entries, session: { review: review(turns, diffs) } });
    await page.locator('.diff-fate').nth(2).waitFor();
    assert.deepEqual(await page.locator('.diff-fate').allTextContents(), [
      'kept',
      'changed since',
      'undone',
    ]);
  });

  it('is nothing without a record', async () => {
    const { page } = await open({ entries });
    await page.getByText('Sums are in cents now.').waitFor();
    assert.equal(await page.locator('.turn-review, .prompt-action, .diff-fate').count(), 0);
  });

  it('offers to restore the files to before each prompt that something was changed after', async () => {
    const { page, host } = await open({
      entries: [...entries, user('Thanks')],
      session: { review: review([turn(), second]) },
    });
    const restore = page.getByRole('button', { name: 'Restore to Before This Turn…' });
    await restore.nth(1).focus();
    await page.keyboard.press('Enter');
    assert.equal(await restore.count(), 2, 'nothing was changed after the last prompt');
    assert.deepEqual(await host.sent('restoreBefore'), [{ type: 'restoreBefore', index: 4 }]);
    const contexts = await page
      .locator('.row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-vscode-context') ?? ''));
    assert.deepEqual(
      contexts.flatMap((text, at) => (text.includes('acpSessionsRestorable') ? [at] : [])),
      [0, 4],
    );
    assert.deepEqual(
      contexts.map(
        (text) => (JSON.parse(text) as { acpSessionsReviewed?: number }).acpSessionsReviewed,
      ),
      [1, undefined, undefined, 1, 2, 2, undefined],
      'a turn’s menu is at its prompt and at its end',
    );
  });
});
