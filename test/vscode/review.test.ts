import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { OwnWrites } from '../../src/platform/review/ownWrites';
import { baselineUri } from '../../src/views/review/baselineDocuments';
import { Reviewing, reviewFiles } from '../../src/views/review/reviewing';
import { type FakeChange, type FakeReview, FakeReviews } from '../support/fakeReviews';
import { Dialogs, replaceMember } from './harness/dialogs';
import { ExtensionBench, waitFor } from './harness/support';

const silent = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
};

const before = 'one\ntwo\nthree\nfour\nfive\n';
const after = 'one\nTWO\nthree\nfour\nFIVE\n';

describe('reviewing changes in editors', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let files: ReturnType<typeof reviewFiles>;
  let reviews: FakeReviews;
  let reviewing: Reviewing;
  let controls: vscode.SourceControl[];
  let disposed: number;
  let restore: () => void;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    controls = [];
    disposed = 0;
    const create = vscode.scm.createSourceControl.bind(vscode.scm);
    restore = replaceMember(
      vscode.scm,
      'createSourceControl',
      (...args: Parameters<typeof create>) => {
        const control = create(...args);
        controls.push(control);
        const dispose = control.dispose.bind(control);
        replaceMember(control, 'dispose', () => {
          disposed += 1;
          dispose();
        });
        return control;
      },
    );
    files = reviewFiles({ own: new OwnWrites(), log: silent, folders: () => [bench.folder] });
    reviews = new FakeReviews(files);
    const { agents, sessions, panels } = bench.api;
    reviewing = new Reviewing({ reviews, agents, sessions, panels });
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
    await assert.rejects(stat(bench.file('new.txt')));
  });

  it('opens all changes in one editor with the real files, and closes it once all is decided', async () => {
    await changed('s', {
      'a.txt': { before, after },
      'gone.txt': { before, after: null },
      'new.txt': { before: null, after },
      'picture.png': { before, after, facts: { form: 'binary' } },
    });
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
      await reviewing.review('claude', 's');
    } finally {
      back();
    }
    const [[name, resources] = []] = opened;
    assert.equal(name, 'Review: Do it · claude (3 of 4)');
    const sides = (resources as (vscode.Uri | undefined)[][]).map(([file, left, right]) => [
      path.basename(file?.path ?? ''),
      left?.scheme,
      right?.scheme,
    ]);
    assert.deepEqual(sides, [
      ['a.txt', 'acp-review', 'file'],
      ['gone.txt', 'acp-review', undefined],
      ['new.txt', undefined, 'file'],
    ]);
    await waitFor(() => tabs().some(({ label }) => label.startsWith(name)), 'the editor');
    await reviewing.decideAll('keep', undefined);
    await waitFor(() => tabs().length === 0, 'the editor to close');
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
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Undo All');
    await reviewing.decideAll('undo', undefined);
    assert.equal(await readFile(bench.file('a.txt'), 'utf8'), before);
    await assert.rejects(stat(bench.file('new.txt')));
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
    review.leftAlone = [{ file: bench.file('a.txt'), reason: 'mixed' }];
    await show('a.txt');
    await reviewing.decideFiles('undo', []);
    assert.deepEqual(dialogs.asked.at(-1)?.choices, ['Keep My Edits', 'Discard My Edits']);
    assert.equal(await readFile(bench.file('a.txt'), 'utf8'), after);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Discard My Edits');
    await reviewing.decideFiles('undo', []);
    const document = vscode.window.activeTextEditor?.document;
    assert.deepEqual([document?.getText(), document?.isDirty], [before, true]);
    await vscode.commands.executeCommand('workbench.action.files.revert');
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
    const uri = baselineUri(unknown, bench.file('a.txt'));
    assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), '');
  });
});
