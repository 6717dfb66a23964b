import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { baselineUri } from '../../../src/features/review/editors/baselineDocuments';
import { decideAll } from '../../../src/features/review/reviewCommands';
import type { Reviewing } from '../../../src/features/review/reviewing';
import { hasTrash } from '../../../src/platform/files/trash';
import type { Dialogs } from '../../vscode/harness/dialogs';
import { decideInPreview, shownPreview } from '../../vscode/harness/previews';
import { waitFor } from '../../vscode/harness/support';
import { activeOne, after, allTabs, before, ReviewBench } from './reviewBench';

describe('reviewing changes in editors', () => {
  let bench: ReviewBench;
  let dialogs: Dialogs;
  let reviewing: Reviewing;
  beforeEach(async () => {
    bench = await ReviewBench.create();
    ({ dialogs, reviewing } = bench);
  });
  afterEach(() => bench.dispose());

  it('undoes the removal of lines, at the cursor', async () => {
    await bench.changed('s', { 'a.txt': { before, after: 'one\nfour\nfive\n' } });
    const editor = await bench.show('a.txt');
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await reviewing.decideAtCursor('undo');
    assert.equal(editor.document.getText(), before);
    await reviewing.decideAtCursor('undo');
    assert.match(dialogs.texts('information').join(), /no changes to review/);
  });

  it('deletes a new file whose only change is undone', async () => {
    await bench.changed('s', { 'new.txt': { before: null, after } });
    const { document } = await bench.show('new.txt');
    const all = [{ modifiedStartLineNumber: 1, modifiedEndLineNumber: 5 }];
    await reviewing.decideChange('undo', document.uri, all, 0);
    if (hasTrash()) {
      assert.deepEqual(dialogs.texts('warning'), []);
    } else {
      assert.equal(await readFile(bench.file('new.txt'), 'utf8'), after, 'nobody agreed');
      assert.match(dialogs.texts('warning').join(), /^Delete \S*new\.txt for good\?$/);
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Delete for Good');
      await reviewing.decideChange('undo', document.uri, all, 0);
      assert.equal(dialogs.texts('warning').length, 2, 'and no message about what stays');
    }
    await assert.rejects(stat(bench.file('new.txt')));
  });

  it('decides about a deleted file, and on the left side of a comparison', async () => {
    const review = await bench.changed('s', {
      'a.txt': { before, after },
      'gone.txt': { before, after: null },
    });
    for (const [name, from] of [
      ['gone.txt', 'gone.txt'],
      ['a.txt', 'a.txt'],
    ] as const) {
      const uri = baselineUri(review, { file: bench.file(from) });
      const left = await vscode.window.showTextDocument(uri, { preview: false });
      left.selection = new vscode.Selection(1, 0, 1, 0);
      await reviewing.decideAtCursor('keep');
      assert.deepEqual(dialogs.asked, [], name);
    }
    assert.deepEqual(
      review.pending.map(({ file, added }) => [path.basename(file), added]),
      [['a.txt', 1]],
    );
  });

  it('asks once before it undoes everything, and says what stays as it is', async () => {
    await bench.changed('s', {
      'a.txt': { before, after },
      'new.txt': { before: null, after },
      'far.txt': { before, after, facts: { isOutside: true } },
    });
    await reviewing.decideAll('undo', undefined);
    assert.equal(await readFile(bench.file('a.txt'), 'utf8'), after);
    const [asked] = dialogs.asked;
    assert.deepEqual(
      [asked?.text, asked?.choices],
      ['Undo the changes of “Do it” (claude) in 3 files?', ['Undo All']],
    );
    assert.match(asked?.detail ?? '', /far\.txt: it is outside/);
    assert.match(
      asked?.detail ?? '',
      hasTrash() ? /New files go to the trash/ : /New files are deleted for good/,
    );
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Undo All');
    await reviewing.decideAll('undo', undefined);
    assert.equal(await readFile(bench.file('a.txt'), 'utf8'), before);
    await assert.rejects(stat(bench.file('new.txt')));
    assert.equal(dialogs.texts('warning').filter((text) => text.includes('for good')).length, 0);
  });

  it('names the files in its question, and of many lets all be seen and left out', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `f${10 + at}.txt`);
    await bench.changed('s', Object.fromEntries(names.map((name) => [name, { before, after }])));
    bench.reviews.used.set(bench.file('f21.txt'), [{ agentId: 'codex', sessionId: 't' }]);
    dialogs.answer = ({ kind, choices }) =>
      kind === 'pick' ? 'f11.txt\nf21.txt' : choices.find((choice) => /^Show All/.test(choice));
    await reviewing.decideAll('undo', undefined);
    const [question, list] = dialogs.asked;
    assert.match(question?.detail ?? '', /f17\.txt\nand 4 more\n/);
    assert.match(
      question?.detail ?? '',
      /Running turns are working on these:\n.*f21\.txt \(codex\)/,
    );
    assert.deepEqual(list?.choices, names);
    assert.match(list.details?.[11] ?? '', /running turn is working on it \(codex\)/);
    const undone = await Promise.all(
      names.map(async (name) => (await readFile(bench.file(name), 'utf8')) === before),
    );
    assert.deepEqual(
      names.filter((_, at) => undone[at]),
      ['f11.txt', 'f21.txt'],
    );
  });

  it('decides about the session of the active transcript, and about no other', async () => {
    const one = await bench.changed('one', { 'a.txt': { before: 'a\n', after: 'A\n' } });
    const other = await bench.changed('other', { 'b.txt': { before: 'b\n', after: 'B\n' } });
    await decideAll(reviewing, activeOne, 'keep', undefined);
    assert.deepEqual([one.decisions, other.decisions], [['keep all'], []]);
    await decideAll(reviewing, activeOne, 'keep', undefined);
    assert.deepEqual(other.decisions, [], 'not even if nothing waits in the active one any more');
    assert.deepEqual(dialogs.texts('information'), ['No changes of this session wait for review.']);
  });

  it('tells which files were left as they are, why, and compares them', async () => {
    const review = await bench.changed('s', {
      'a.txt': { before, after },
      'b.txt': { before, after },
    });
    review.leftAlone = [{ file: bench.file('b.txt'), reason: 'readOnly' }];
    dialogs.answer = ({ choices }) => choices.find((choice) => /Undo All|Compare/.test(choice));
    await reviewing.decideAll('undo', undefined);
    const text = await waitFor(() => dialogs.texts('warning')[1], 'the message');
    assert.match(text, /b\.txt was left as it is: it is read-only/);
    await waitFor(() => allTabs().some(({ label }) => label.startsWith('b.txt')), 'the diff');
  });

  it('asks whose text stays where both have edited, and changes nothing without an answer', async () => {
    const review = await bench.changed('s', {
      'a.txt': { before, after, facts: { isMixed: true } },
    });
    await bench.show('a.txt');
    const closed = reviewing.decideFiles('undo', []);
    const { title, choices } = await decideInPreview(undefined);
    await closed;
    assert.deepEqual(
      [title, choices],
      ['Whose Text Stays in a.txt?', ['keepMyEdits', 'discardMyEdits']],
    );
    await reviewing.move(1);
    await reviewing.decideAtCursor('undo');
    assert.match(dialogs.texts('warning').at(-1) ?? '', /Your own edits in it go with it/);
    assert.deepEqual(review.decisions, [], 'the record is told only what was confirmed');
    assert.equal(await readFile(bench.file('a.txt'), 'utf8'), after);
    const discarded = reviewing.decideFiles('undo', []);
    await decideInPreview('discardMyEdits');
    await discarded;
    const document = vscode.window.activeTextEditor?.document;
    assert.deepEqual([document?.getText(), document?.isDirty], [before, true]);
  });

  it('doesn’t offer to discard edits of a file that was not there before', async () => {
    await bench.changed('s', { 'new.txt': { before: null, after, facts: { isMixed: true } } });
    await bench.show('new.txt');
    const asked = reviewing.decideFiles('undo', []);
    const { choices } = await decideInPreview(undefined);
    await asked;
    assert.deepEqual(choices, ['keepMyEdits']);
  });

  it('undoes what it may in all files before it asks about one, and keeps what is the user’s by choice', async () => {
    const mixed = await bench.changed('s', {
      'a.txt': { before, after, facts: { isMixed: true } },
    });
    const other = await bench.changed('t', { 'b.txt': { before, after } });
    mixed.leftAlone = [{ file: bench.file('a.txt'), reason: 'mixed' }];
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Undo All');
    const undone = reviewing.decideAll('undo', undefined);
    await shownPreview();
    assert.deepEqual(other.decisions, ['undo all']);
    assert.equal(await readFile(bench.file('b.txt'), 'utf8'), before);
    await decideInPreview('keepMyEdits');
    await undone;
    assert.deepEqual(mixed.decisions, ['undo all', 'keep files']);
    assert.equal(await readFile(bench.file('a.txt'), 'utf8'), after);
  });

  it('offers to go on with an interrupted decision, or to go back', async () => {
    const review = await bench.changed('s', { 'a.txt': { before, after } });
    const called: string[] = [];
    const outcome = { decided: [], leftAlone: [] };
    const act = (name: string) => () => {
      called.push(name);
      return Promise.resolve(outcome);
    };
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Go Back');
    bench.reviews.interrupted = [
      {
        review,
        what: 'undo',
        done: ['/x'],
        left: ['/y', '/z'],
        goOn: act('on'),
        goBack: act('back'),
      },
    ];
    bench.reviews.fire();
    bench.reviews.fire();
    await waitFor(() => called.length > 0, 'the answer');
    assert.deepEqual(called, ['back']);
    assert.deepEqual(dialogs.texts('warning'), [
      'Undoing the changes of “Do it” (claude) was interrupted. Files done: 1 of 3.',
    ]);
  });
});
