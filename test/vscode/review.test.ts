import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { baselineUri, pastUri } from '../../src/features/review/editors/baselineDocuments';
import { AgreedDeletions } from '../../src/features/review/files/agreedDeletions';
import { VsCodeReviewFiles } from '../../src/features/review/files/reviewFiles';
import type { TurnFile } from '../../src/features/review/model/review';
import { decideAll, reviewChanges } from '../../src/features/review/reviewCommands';
import { Reviewing } from '../../src/features/review/reviewing';
import { OwnWrites } from '../../src/platform/files/ownWrites';
import { hasTrash } from '../../src/platform/files/trash';
import { type FakeChange, type FakeReview, FakeReviews } from '../support/fakeReviews';
import { Dialogs, replaceMember } from './harness/dialogs';
import { decideInPreview, shownPreview } from './harness/previews';
import { ExtensionBench, waitFor } from './harness/support';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const after = 'one\nTWO\nthree\nfour\nFIVE\n';

/** The transcript of one session is the active one. */
const activeOne = {
  active: { session: { agent: { id: 'claude' }, info: { sessionId: 'one' } } },
} as Parameters<typeof reviewChanges>[1];

describe('reviewing changes in editors', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let files: VsCodeReviewFiles;
  let reviews: FakeReviews;
  let reviewing: Reviewing;
  let controls: vscode.SourceControl[];
  let groups: vscode.SourceControlResourceGroup[];
  let disposed: number;
  let restore: () => void;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    controls = [];
    groups = [];
    disposed = 0;
    const create = vscode.scm.createSourceControl.bind(vscode.scm);
    restore = replaceMember(
      vscode.scm,
      'createSourceControl',
      (...args: Parameters<typeof create>) => {
        const control = create(...args);
        controls.push(control);
        const createGroup = control.createResourceGroup.bind(control);
        replaceMember(control, 'createResourceGroup', (id: string, label: string) => {
          const group = createGroup(id, label);
          groups.push(group);
          return group;
        });
        const dispose = control.dispose.bind(control);
        replaceMember(control, 'dispose', () => {
          disposed += 1;
          dispose();
        });
        return control;
      },
    );
    const agreedDeletions = new AgreedDeletions();
    files = new VsCodeReviewFiles({
      own: new OwnWrites(),
      folders: () => [bench.folder],
      mayDeleteForGood: (deleted) => agreedDeletions.mayDelete(deleted),
    });
    reviews = new FakeReviews(files);
    reviewing = new Reviewing({ ...bench.api, reviews, agreedDeletions });
  });
  afterEach(async () => {
    reviewing.dispose();
    files.dispose();
    restore();
    dialogs.dispose();
    await bench.dispose();
  });

  /** A session that has changed these files. */
  async function changed(
    id: string,
    changes: Readonly<Record<string, Omit<FakeChange, 'file'>>>,
  ): Promise<FakeReview> {
    const all = Object.entries(changes).map(([name, change]) => ({
      ...change,
      file: bench.file(name),
    }));
    for (const { file, after: text } of all) {
      if (text !== null) {
        await writeFile(file, text);
      }
    }
    return reviews.add('claude', id, all);
  }

  const show = (name: string): Thenable<vscode.TextEditor> =>
    vscode.window.showTextDocument(vscode.Uri.file(bench.file(name)), { preview: false });

  /** The title of the editor of changes that this opens, and for each file the kinds of its two sides. */
  async function openedBy(
    open: () => Promise<void>,
  ): Promise<readonly [string, readonly (readonly (string | undefined)[])[]]> {
    const opened: unknown[][] = [];
    const execute = vscode.commands.executeCommand.bind(vscode.commands);
    const back = replaceMember(
      vscode.commands,
      'executeCommand',
      (id: string, ...rest: unknown[]) => {
        if (id === 'vscode.changes') {
          opened.push(rest);
        }
        return execute(id, ...rest);
      },
    );
    try {
      await open();
    } finally {
      back();
    }
    const [[name, resources] = []] = opened as [string, (vscode.Uri | undefined)[][]][];
    const sides = resources?.map(([file, left, right]) => [
      path.basename(file?.path ?? ''),
      left?.scheme,
      right?.scheme,
      ...(left && file && left.path !== file.path ? [path.basename(left.path)] : []),
    ]);
    return [name ?? '', sides ?? []];
  }

  const tabs = (): readonly vscode.Tab[] =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs);

  it('shows a source control only while something waits, with the files of each session', async () => {
    assert.deepEqual(controls, []);
    const review = await changed('s', {
      'a.txt': { before, after },
      'gone.txt': { before, after: null },
    });
    const control = await waitFor(() => controls[0], 'the source control');
    assert.deepEqual([control.label, control.inputBox.visible], ['ACP Sessions', false]);
    await review.keep({ type: 'all' });
    await waitFor(() => disposed === 1, 'the source control to go');
    const again = await changed('t', { 'b.txt': { before, after } });
    await waitFor(() => controls.length === 2, 'another one');
    await again.keep({ type: 'all' });
    await waitFor(() => disposed === 2, 'the other one to go');
  });

  it('marks changes against the file without them, and follows what is kept', async () => {
    const review = await changed('s', { 'a.txt': { before, after } });
    const control = await waitFor(() => controls[0], 'the source control');
    const { token } = new vscode.CancellationTokenSource();
    const original = (name: string) =>
      control.quickDiffProvider?.provideOriginalResource?.(
        vscode.Uri.file(bench.file(name)),
        token,
      );
    const uri = await original('a.txt');
    assert.ok(uri instanceof vscode.Uri);
    assert.equal(await original('other.txt'), undefined);
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.getText(), before);
    const kept = {
      type: 'lines',
      file: bench.file('a.txt'),
      lines: [{ start: 2, end: 3 }],
    } as const;
    await review.keep(kept);
    await waitFor(() => document.getText() === 'one\nTWO\nthree\nfour\nfive\n', 'the kept line');
  });

  it('keeps and undoes the change of the inline peek, as VS Code counts its lines', async () => {
    await changed('s', { 'a.txt': { before, after } });
    const { document } = await show('a.txt');
    const changes = [
      { modifiedStartLineNumber: 2, modifiedEndLineNumber: 2 },
      { modifiedStartLineNumber: 5, modifiedEndLineNumber: 5 },
    ];
    await reviewing.decideChange('undo', document.uri, changes, 1);
    assert.equal(await readFile(bench.file('a.txt'), 'utf8'), 'one\nTWO\nthree\nfour\nfive\n');
    await reviewing.decideChange('keep', document.uri, changes, 0);
    assert.deepEqual(reviews.all[0]?.pending, []);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), after);
  });

  it('undoes the removal of lines, at the cursor', async () => {
    await changed('s', { 'a.txt': { before, after: 'one\nfour\nfive\n' } });
    const editor = await show('a.txt');
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await reviewing.decideAtCursor('undo');
    assert.equal(editor.document.getText(), before);
    await reviewing.decideAtCursor('undo');
    assert.match(dialogs.texts('information').join(), /no changes to review/);
  });

  it('deletes a new file whose only change is undone', async () => {
    await changed('s', { 'new.txt': { before: null, after } });
    const { document } = await show('new.txt');
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

  it('opens all changes in one editor with the real files, and closes it once all is decided', async () => {
    await changed('s', {
      'a.txt': { before, after },
      'gone.txt': { before, after: null },
      'new.txt': { before: null, after },
      'picture.png': { before, after, facts: { form: 'binary' } },
      'large.txt': { before, after, facts: { form: 'tooLarge' } },
      'to.txt': { before, after, facts: { kind: 'moved', movedFrom: bench.file('from.txt') } },
    });
    const [name, sides] = await openedBy(() =>
      reviewing.show({ agentId: 'claude', sessionId: 's' }),
    );
    assert.equal(name, 'Review: Do it · claude (5 of 6)');
    assert.deepEqual(sides, [
      ['a.txt', 'acp-review', 'file'],
      ['gone.txt', 'acp-review', undefined],
      ['new.txt', undefined, 'file'],
      ['picture.png', 'acp-review', 'file'],
      ['to.txt', 'acp-review', 'file', 'from.txt'],
    ]);
    await waitFor(() => tabs().some(({ label }) => label.startsWith(name)), 'the editor');
    await reviewing.decideAll('keep', undefined);
    await waitFor(() => tabs().length === 0, 'the editor to close');
  });

  it('opens the files of a turn only, and names it in the question', async () => {
    await changed('s', {
      'a.txt': { before, after, turn: 1 },
      'b.txt': { before, after, turn: 2 },
    });
    await reviewing.show({ agentId: 'claude', sessionId: 's' }, 1);
    await waitFor(
      () => tabs().some(({ label }) => label.endsWith('turn “Do it” (1 file)')),
      'the editor',
    );
    await reviewing.decideAll('undo', undefined);
    assert.deepEqual(dialogs.texts('warning'), ['Undo the changes of the turn “Do it”? Files: 1.']);
    assert.equal(dialogs.asked.at(-1)?.detail?.includes('trash'), false, 'there is no new file');
  });

  it('shows what a decided turn did, with its decision as the title, and nothing to decide', async () => {
    const review = await changed('s', { 'a.txt': { before, after } });
    const file = (name: string, rest: Partial<TurnFile> = {}): TurnFile => ({
      ...{ file: bench.file(name), kind: 'modified', form: 'text', isAsLeft: false },
      ...rest,
    });
    review.turnFiles.set(1, [
      file('a.txt', { isAsLeft: true }),
      file('b.txt'),
      file('gone.txt', { kind: 'deleted' }),
      file('new.txt', { kind: 'added' }),
      file('to.txt', { kind: 'moved', movedFrom: bench.file('from.txt') }),
    ]);
    await review.keep({ type: 'all' });
    review.turns = review.turns.map((turn) => ({ ...turn, state: 'kept', files: ['/1', '/2'] }));
    const [name, sides] = await openedBy(() =>
      reviewing.show({ agentId: 'claude', sessionId: 's' }, 1),
    );
    assert.equal(name, 'Kept: Do it · claude, turn “Do it”');
    assert.deepEqual(sides, [
      ['a.txt', 'acp-review', 'file'],
      ['b.txt', 'acp-review', 'acp-review'],
      ['gone.txt', 'acp-review', undefined],
      ['new.txt', undefined, 'acp-review'],
      ['to.txt', 'acp-review', 'acp-review', 'from.txt'],
    ]);
    await waitFor(() => tabs().some(({ label }) => label.startsWith(name)), 'the editor');
    const left = pastUri(review, 1, { file: bench.file('b.txt') }, 'before');
    const { document } = await vscode.window.showTextDocument(left);
    assert.equal(document.getText(), 'b.txt before turn 1');
    await reviewing.decideAtCursor('undo');
    assert.match(dialogs.texts('information').join(), /no changes to review/);

    review.turns = review.turns.map((turn) => ({ ...turn, state: 'undone' }));
    review.turnFiles.set(1, [file('b.txt'), file('picture.png', { form: 'binary' })]);
    const [some, listed] = await openedBy(() =>
      reviewing.show({ agentId: 'claude', sessionId: 's' }, 1),
    );
    assert.equal(some, 'Undone: Do it · claude, turn “Do it”');
    assert.deepEqual(listed, [
      ['b.txt', 'acp-review', 'acp-review'],
      ['picture.png', 'acp-review', 'acp-review'],
    ]);
  });

  it('lists what can’t be compared of a decided turn, and says why', async () => {
    const review = await changed('s', { 'a.txt': { before, after } });
    const file = bench.file('a.bin');
    review.turnFiles.set(1, [
      { file, kind: 'modified', form: 'binary', isAsLeft: true },
      { file: bench.file('large'), kind: 'added', form: 'tooLarge', isAsLeft: false },
      { file: bench.file('lost'), kind: 'deleted', form: 'unkept', isAsLeft: false },
    ]);
    await review.keep({ type: 'all' });
    review.turns = review.turns.map((turn) => ({ ...turn, state: 'kept' }));
    const [, listed] = await openedBy(() =>
      reviewing.show({ agentId: 'claude', sessionId: 's' }, 1),
    );
    assert.deepEqual(listed, [
      ['a.bin', 'acp-review', 'acp-review'],
      ['large', undefined, 'acp-review'],
      ['lost', 'acp-review', undefined],
    ]);
    const text = async (form: TurnFile['form']): Promise<string> => {
      const uri = pastUri(review, 1, { file, form }, 'after');
      return (await vscode.workspace.openTextDocument(uri)).getText();
    };
    assert.match(await text('binary'), /It isn’t text/);
    assert.match(await text('tooLarge'), /too large/);
    assert.match(await text('unkept'), /wasn’t recorded/);
  });

  it('opens the file of a row itself', async () => {
    await changed('s', {
      'a.txt': { before, after },
      'gone.txt': { before, after: null },
    });
    const rows = await waitFor(() => groups[0]?.resourceStates.slice(), 'the rows');
    await reviewing.openFiles(rows);
    const names = tabs().map(({ input }) =>
      input instanceof vscode.TabInputText ? path.basename(input.uri.path) : '',
    );
    assert.deepEqual(names, ['a.txt']);
  });

  it('decides about a deleted file, and on the left side of a comparison', async () => {
    const review = await changed('s', {
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
    await changed('s', {
      'a.txt': { before, after },
      'new.txt': { before: null, after },
      'far.txt': { before, after, facts: { isOutside: true } },
    });
    await reviewing.decideAll('undo', undefined);
    assert.equal(await readFile(bench.file('a.txt'), 'utf8'), after);
    const [asked] = dialogs.asked;
    assert.deepEqual(
      [asked?.text, asked?.choices],
      ['Undo the changes of “Do it” (claude)? Files: 3.', ['Undo All']],
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
    await changed('s', Object.fromEntries(names.map((name) => [name, { before, after }])));
    reviews.used.set(bench.file('f21.txt'), [{ agentId: 'codex', sessionId: 't' }]);
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

  it('shows what may be another session’s apart, and decides about it only by itself', async () => {
    const review = await changed('s', { 'a.txt': { before, after } });
    review.uncertain = [
      {
        ...{ file: bench.file('made.txt'), kind: 'added', form: 'text', turns: [1] },
        ...{ added: 1, removed: 0, beside: [{ agentId: 'codex', sessionId: 't' }] },
      },
    ];
    await writeFile(bench.file('made.txt'), 'made\n');
    reviews.fire();
    await waitFor(() => groups[1]?.resourceStates.length === 1, 'the row');
    const [, group] = groups;
    assert.equal(group?.label, 'Do it · claude: changed while others were at work, too');
    const rows = group.resourceStates;
    assert.match(rows[0]?.decorations?.tooltip ?? '', /^Added, Changed while .*: codex, \+1 −0$/);
    const [title, sides] = await openedBy(() => reviewing.reviewAll(group));
    assert.deepEqual(
      [title, sides],
      ['Changed by Several: Do it · claude', [['made.txt', undefined, 'file']]],
    );
    await reviewing.decideFiles('undo', rows);
    assert.deepEqual(
      [dialogs.asked[0]?.text, dialogs.asked[0]?.choices, review.decisions],
      ['Undo this change of made.txt?', ['Undo All'], []],
    );
    await reviewing.decideFiles('keep', rows);
    await reviewing.decideAll('keep', group);
    assert.deepEqual(review.decisions, ['keep uncertain', 'keep uncertain']);
    assert.equal(review.pending.length, 1);
  });

  it('decides about the session of the active transcript, and about no other', async () => {
    const one = await changed('one', { 'a.txt': { before: 'a\n', after: 'A\n' } });
    const other = await changed('other', { 'b.txt': { before: 'b\n', after: 'B\n' } });
    await decideAll(reviewing, activeOne, 'keep', undefined);
    assert.deepEqual([one.decisions, other.decisions], [['keep all'], []]);
    await decideAll(reviewing, activeOne, 'keep', undefined);
    assert.deepEqual(other.decisions, [], 'not even if nothing waits in the active one any more');
    assert.deepEqual(dialogs.texts('information'), ['No changes of this session wait for review.']);
  });

  it('opens the changes of another session than that of the active transcript only if asked to', async () => {
    await changed('other', { 'b.txt': { before: 'b\n', after: 'B\n' } });
    const [none] = await openedBy(() => reviewChanges(reviewing, activeOne, undefined));
    assert.equal(none, '');
    assert.deepEqual(dialogs.texts('information'), ['No changes of this session wait for review.']);
    dialogs.answer = ({ choices }) => choices[0];
    const [title] = await openedBy(() => reviewChanges(reviewing, activeOne, undefined));
    assert.match(title, /^Review: /);
  });

  it('tells which files were left as they are, why, and compares them', async () => {
    const review = await changed('s', { 'a.txt': { before, after }, 'b.txt': { before, after } });
    review.leftAlone = [{ file: bench.file('b.txt'), reason: 'readOnly' }];
    dialogs.answer = ({ choices }) => choices.find((choice) => /Undo All|Compare/.test(choice));
    await reviewing.decideAll('undo', undefined);
    const text = await waitFor(() => dialogs.texts('warning')[1], 'the message');
    assert.match(text, /b\.txt was left as it is: it is read-only/);
    await waitFor(() => tabs().some(({ label }) => label.startsWith('b.txt')), 'the diff');
  });

  it('asks whose text stays where both have edited, and changes nothing without an answer', async () => {
    const review = await changed('s', { 'a.txt': { before, after, facts: { isMixed: true } } });
    await show('a.txt');
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
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('doesn’t offer to discard edits of a file that was not there before', async () => {
    await changed('s', { 'new.txt': { before: null, after, facts: { isMixed: true } } });
    await show('new.txt');
    const asked = reviewing.decideFiles('undo', []);
    const { choices } = await decideInPreview(undefined);
    await asked;
    assert.deepEqual(choices, ['keepMyEdits']);
  });

  it('undoes what it may in all files before it asks about one, and keeps what is the user’s by choice', async () => {
    const mixed = await changed('s', { 'a.txt': { before, after, facts: { isMixed: true } } });
    const other = await changed('t', { 'b.txt': { before, after } });
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

  it('goes over changes, files and sessions, in both directions', async () => {
    await changed('s', { 'a.txt': { before, after }, 'b.txt': { before, after } });
    await changed('t', { 'c.txt': { before, after } });
    const here = (): string => {
      const editor = vscode.window.activeTextEditor;
      return `${path.basename(editor?.document.uri.path ?? '')}:${(editor?.selection.active.line ?? -1) + 1}`;
    };
    const seen: string[] = [];
    const go = async (by: 1 | -1, to: string): Promise<void> => {
      await reviewing.move(by);
      await waitFor(() => here() === to, `${to} instead of ${here()}`);
      seen.push(to);
    };
    for (const to of [
      'a.txt:2',
      'a.txt:5',
      'b.txt:2',
      'b.txt:5',
      'c.txt:2',
      'c.txt:5',
      'a.txt:2',
    ]) {
      await go(1, to);
    }
    await go(-1, 'c.txt:5');
    await go(-1, 'c.txt:2');
    await go(-1, 'b.txt:5');
    assert.equal(seen.length, 10);
  });

  it('goes on from a deleted file', async () => {
    await changed('s', { 'a.txt': { before, after: null }, 'b.txt': { before, after } });
    const name = (): string =>
      path.basename(vscode.window.activeTextEditor?.document.uri.path ?? '');
    await reviewing.move(1);
    await waitFor(() => name() === 'a.txt', 'the deleted file');
    await reviewing.move(1);
    await waitFor(() => name() === 'b.txt', 'the next file');
  });

  it('offers to go on with an interrupted decision, or to go back', async () => {
    const review = await changed('s', { 'a.txt': { before, after } });
    const called: string[] = [];
    const outcome = { decided: [], leftAlone: [] };
    const act = (name: string) => () => {
      called.push(name);
      return Promise.resolve(outcome);
    };
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Go Back');
    reviews.interrupted = [
      {
        review,
        what: 'undo',
        done: ['/x'],
        left: ['/y', '/z'],
        goOn: act('on'),
        goBack: act('back'),
      },
    ];
    reviews.fire();
    reviews.fire();
    await waitFor(() => called.length > 0, 'the answer');
    assert.deepEqual(called, ['back']);
    assert.deepEqual(dialogs.texts('warning'), [
      'Undoing the changes of “Do it” (claude) was interrupted. Files done: 1 of 3.',
    ]);
  });

  it('has an empty text in place of a document of an unknown session', async () => {
    const unknown = new FakeReviews(files).add('other', 's', []);
    const uri = baselineUri(unknown, { file: bench.file('a.txt') });
    assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), '');
  });
});
