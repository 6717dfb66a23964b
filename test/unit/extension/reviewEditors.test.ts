import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { baselineUri, pastUri } from '../../../src/features/review/editors/baselineDocuments';
import type { TurnFile } from '../../../src/features/review/model/review';
import { reviewChanges } from '../../../src/features/review/reviewCommands';
import type { Reviewing } from '../../../src/features/review/reviewing';
import { FakeReviews } from '../../support/fakeReviews';
import { type Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { waitFor } from '../../vscode/harness/support';
import { activeOne, after, allTabs, before, openedBy, ReviewBench } from './reviewBench';

describe('reviewing changes in editors', () => {
  let bench: ReviewBench;
  let dialogs: Dialogs;
  let reviewing: Reviewing;
  let controls: vscode.SourceControl[];
  let groups: vscode.SourceControlResourceGroup[];
  let disposed: number;
  let restore: () => void;
  beforeEach(async () => {
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
    bench = await ReviewBench.create();
    ({ dialogs, reviewing } = bench);
  });
  afterEach(async () => {
    await bench.dispose();
    restore();
  });

  it('shows a source control only while something waits, with the files of each session', async () => {
    assert.deepEqual(controls, []);
    const review = await bench.changed('s', {
      'a.txt': { before, after },
      'gone.txt': { before, after: null },
    });
    const control = await waitFor(() => controls[0], 'the source control');
    assert.deepEqual([control.label, control.inputBox.visible], ['ACP Sessions', false]);
    await review.keep({ type: 'all' });
    await waitFor(() => disposed === 1, 'the source control to go');
    const again = await bench.changed('t', { 'b.txt': { before, after } });
    await waitFor(() => controls.length === 2, 'another one');
    await again.keep({ type: 'all' });
    await waitFor(() => disposed === 2, 'the other one to go');
  });

  it('marks changes against the file without them, and follows what is kept', async () => {
    const review = await bench.changed('s', { 'a.txt': { before, after } });
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

  it('opens all changes in one editor with the real files, and closes it once all is decided', async () => {
    await bench.changed('s', {
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
    await waitFor(() => allTabs().some(({ label }) => label.startsWith(name)), 'the editor');
    await reviewing.decideAll('keep', undefined);
    await waitFor(() => allTabs().length === 0, 'the editor to close');
  });

  it('opens the files of a turn only, and names it in the question', async () => {
    await bench.changed('s', {
      'a.txt': { before, after, turn: 1 },
      'b.txt': { before, after, turn: 2 },
    });
    await reviewing.show({ agentId: 'claude', sessionId: 's' }, 1);
    await waitFor(
      () => allTabs().some(({ label }) => label.endsWith('turn “Do it” (1 file)')),
      'the editor',
    );
    await reviewing.decideAll('undo', undefined);
    assert.deepEqual(dialogs.texts('warning'), ['Undo the changes of the turn “Do it” in 1 file?']);
    assert.equal(dialogs.asked.at(-1)?.detail?.includes('trash'), false, 'there is no new file');
  });

  it('shows what a decided turn did, with its decision as the title, and nothing to decide', async () => {
    const review = await bench.changed('s', { 'a.txt': { before, after } });
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
    await waitFor(() => allTabs().some(({ label }) => label.startsWith(name)), 'the editor');
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
    const review = await bench.changed('s', { 'a.txt': { before, after } });
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
    await bench.changed('s', {
      'a.txt': { before, after },
      'gone.txt': { before, after: null },
    });
    const rows = await waitFor(() => groups[0]?.resourceStates.slice(), 'the rows');
    await reviewing.openFiles(rows);
    const names = allTabs().map(({ input }) =>
      input instanceof vscode.TabInputText ? path.basename(input.uri.path) : '',
    );
    assert.deepEqual(names, ['a.txt']);
  });

  it('shows what may be another session’s apart, and decides about it only by itself', async () => {
    const review = await bench.changed('s', { 'a.txt': { before, after } });
    review.uncertain = [
      {
        ...{ file: bench.file('made.txt'), kind: 'added', form: 'text', turns: [1] },
        ...{ added: 1, removed: 0, beside: [{ agentId: 'codex', sessionId: 't' }] },
      },
    ];
    await writeFile(bench.file('made.txt'), 'made\n');
    bench.reviews.fire();
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

  it('opens the changes of another session than that of the active transcript only if asked to', async () => {
    await bench.changed('other', { 'b.txt': { before: 'b\n', after: 'B\n' } });
    const [none] = await openedBy(() => reviewChanges(reviewing, activeOne, undefined));
    assert.equal(none, '');
    assert.deepEqual(dialogs.texts('information'), ['No changes of this session wait for review.']);
    dialogs.answer = ({ choices }) => choices[0];
    const [title] = await openedBy(() => reviewChanges(reviewing, activeOne, undefined));
    assert.match(title, /^Review: /);
  });

  it('has an empty text in place of a document of an unknown session', async () => {
    const unknown = new FakeReviews(bench.files).add('other', 's', []);
    const uri = baselineUri(unknown, { file: bench.file('a.txt') });
    assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), '');
  });
});
