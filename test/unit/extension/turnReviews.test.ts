import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { AgreedDeletions } from '../../../src/features/review/files/agreedDeletions';
import { StoredReviews } from '../../../src/features/review/model/storedReviews';
import { takeBackLastDecision } from '../../../src/features/review/reviewCommands';
import type { Disposable } from '../../../src/util/disposable';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import { type Json, update as made, type Scenario } from '../../fakeAgent/scenario';
import { DiskFiles } from '../../support/diskFiles';
import { type FakeReview, FakeReviews } from '../../support/fakeTurnReviews';
import { FolderBlobs } from '../../support/folderBlobs';
import { Dialogs } from '../../vscode/harness/dialogs';
import { decideInPreview, shownPreview, tabLabels } from '../../vscode/harness/previews';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { provideReviews } from './provideReviews';

const replayed: readonly Json[] = [
  made.user('Fix it', 'u1'),
  made.toolCall('c1', 'Edit a.txt', { kind: 'edit', status: 'completed' }),
  made.agent('Done.', 'a1'),
  made.user('Thanks', 'u2'),
  made.agent('Welcome.', 'a2'),
];

describe('what a session changed, in its transcript and its row', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let reviews: FakeReviews;
  let provided: Disposable;
  let review: FakeReview;

  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    const scenario: Scenario = {
      sessions: [listed('s1', 'The first'), listed('s2', 'The second')],
      replays: { '*': [{ updates: replayed }] },
    };
    await bench.setAgents({ fake: fakeEntry('Fake', scenario) });
    reviews = new FakeReviews();
    review = reviews.add('fake', 's1');
    provided = await provideReviews(bench, reviews);
  });
  afterEach(async () => {
    provided.dispose();
    dialogs.dispose();
    await bench.dispose();
  });

  async function opened(): Promise<TranscriptPanel> {
    const node = await bench.session('The first');
    await vscode.commands.executeCommand('acpSessions.session.open', node);
    const panel = await waitFor(() => bench.api.panels.find('fake', 's1'), 'the tab');
    await waitFor(() => panel.session.phase.kind === 'ready', 'the transcript');
    return panel;
  }

  const undoRestore = (): Promise<void> =>
    takeBackLastDecision(
      { ...bench.api, reviews, agreedDeletions: new AgreedDeletions() },
      undefined,
    );

  async function descriptionOf(title: string): Promise<string> {
    const { view } = bench.api;
    return String(view.getTreeItem(await bench.session(title)).description);
  }

  it('is counted in the row and in its tooltip, and grouped by', async () => {
    review.addTurn({ turn: 1, prompt: 'Fix it', files: ['/a.txt', '/b.txt', '/c.txt'] });
    await waitFor(
      async () => (await descriptionOf('The first')).includes('3 to review'),
      'the row',
    );
    const node = await bench.session('The first');
    const tooltip = bench.api.tree.tooltip(node);
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /^3 files to review$/m);
    await waitFor(() => bench.labels().includes('Needs You'), 'the group');
    review.decide(1, 'kept');
    await waitFor(() => !bench.labels().includes('Needs You'), 'the group to go');
  });

  it('stands in the list of what waits, after the requests, and opens from there', async () => {
    review.addTurn({ turn: 1, prompt: 'Fix it', files: ['/a.txt'] });
    dialogs.answer = ({ choices }) => choices.find((label) => label.includes('1 file to review'));
    await vscode.commands.executeCommand('acpSessions.requests.pick');
    const [asked] = dialogs.asked;
    assert.deepEqual(asked?.choices, ['Changes to Review', '$(diff-multiple) 1 file to review']);
    assert.equal(asked.descriptions?.at(-1), 'Fake · Fix it', 'also of a session that isn’t open');
    assert.deepEqual(reviews.shown, ['s1 all']);
  });

  it('opens from the row’s menu, whether or not the session is open', async () => {
    review.addTurn({ turn: 1, prompt: 'Fix it', files: ['/a.txt'] });
    const node = await bench.session('The first');
    await vscode.commands.executeCommand('acpSessions.session.openChanges', node);
    assert.deepEqual(reviews.shown, ['s1 all']);
  });

  it('lists all files of a restoration above the preview, and says which are being worked on', async () => {
    const all = Array.from({ length: 12 }, (_, at) => bench.file(`f${10 + at}.bin`));
    review.addTurn({ turn: 1, prompt: 'Fix it', files: all });
    reviews.used.set(all[11] ?? '', [{ agentId: 'codex', sessionId: 't' }]);
    review.plan = {
      files: all.map((file) => ({ file, kind: 'deleted', text: undefined, isMerged: false })),
      leftAlone: [],
    };
    const panel = await opened();
    const restoring = panel.restoreBefore(0);
    const { text } = await decideInPreview(undefined);
    await restoring;
    assert.match(text, /^Restore 12 files\? Below is what would change\.$/m);
    assert.match(text, /^Running turns are working on: f21\.bin\.$/m);
    for (const file of all) {
      const line = `${path.basename(file)}: Deleted, for good: there is no trash here, not below, because it isn’t text`;
      assert.ok(text.includes(line), text);
    }
    assert.deepEqual(review.asked, ['plan 1']);
    assert.deepEqual(dialogs.asked, [], 'nothing lies over the preview');
  });

  it('restores to before a prompt only after a preview that asks, and back again', async () => {
    const file = bench.file('a.txt');
    await writeFile(file, 'after\n');
    review.addTurn({ turn: 1, prompt: 'Fix it', files: [file] });
    review.plan = {
      files: [{ file, kind: 'modified', text: 'before\n', isMerged: true }],
      leftAlone: [{ file: bench.file('b.bin'), reason: 'unkept' }],
    };
    const panel = await opened();
    const closed = panel.restoreBefore(0);
    const { title, choices, text } = await decideInPreview(undefined);
    await closed;
    assert.deepEqual(review.asked, ['plan 1'], 'nothing is done without an answer');
    assert.deepEqual([title, choices], ['Restore to Before “Fix it”', ['restore']]);
    assert.match(text, /a\.txt: Modified, your own later changes are merged in$/m);
    assert.match(text, /b\.bin: Stays: its content wasn’t recorded$/m);
    dialogs.answer = ({ choices: buttons }) => buttons.find((one) => one === 'Undo Restore');
    const restored = panel.restoreBefore(2);
    await decideInPreview('restore');
    await restored;
    assert.deepEqual(review.asked, ['plan 1', 'plan 1', 'plan 1', 'restore 1', 'undo restore']);
    assert.ok(dialogs.texts('information').some((said) => said.startsWith('Restored 1 file.')));
    assert.ok(!tabLabels().some((label) => label.startsWith(title)), 'the preview is closed');
    await undoRestore();
    assert.ok(
      dialogs
        .texts('information')
        .includes('Nothing was restored or undone that could be brought back.'),
    );
  });

  it('shows what would be restored again if it is something else by the time of the answer', async () => {
    const file = bench.file('a.txt');
    await writeFile(file, 'after\n');
    review.addTurn({ turn: 1, prompt: 'Fix it', files: [file] });
    const planned = (text: string) => ({
      files: [{ file, kind: 'modified' as const, text, isMerged: false }],
      leftAlone: [],
    });
    review.plan = planned('before\n');
    const panel = await opened();
    const restored = panel.restoreBefore(0);
    await shownPreview();
    review.plan = planned('before, and more\n');
    const first = await decideInPreview('restore');
    assert.doesNotMatch(first.text, /Files have changed/);
    const again = await decideInPreview('restore');
    assert.match(again.text, /^Files have changed since this was shown/);
    await restored;
    assert.deepEqual(review.asked, ['plan 1', 'plan 1', 'plan 1', 'restore 1']);
  });

  it('takes a decision back only of the session that is meant, and says of which files first', async () => {
    const file = bench.file('a.txt');
    await writeFile(file, 'before\n');
    const other = reviews.add('fake', 's2');
    const plan = {
      files: [{ file, kind: 'modified' as const, text: 'after\n', isMerged: false }],
      leftAlone: [],
    };
    other.plan = plan;
    other.addTurn({ turn: 1, prompt: 'Other work', files: [] });
    other.lastDecision = { what: 'undo', id: '1', at: 0, files: [file] };
    review.addTurn({ turn: 1, prompt: 'Fix it', files: [file] });
    const panel = await opened();
    await waitFor(() => bench.api.panels.active === panel, 'the transcript to be active');
    await undoRestore();
    assert.deepEqual(other.asked, [], 'another session’s decision isn’t taken back by itself');
    const [asked] = dialogs.asked;
    assert.deepEqual([asked?.choices, asked?.details], [['Other work'], ['a.txt']]);
    dialogs.answer = ({ text, choices }) =>
      text === 'Undo Restore or Undo All' ? choices[0] : undefined;
    const closed = undoRestore();
    const first = await decideInPreview(undefined);
    await closed;
    assert.deepEqual(other.asked, ['plan undo restore'], 'nothing is done without an answer');
    assert.deepEqual(first.title, 'Bring Back What Was Undone: Other work');
    assert.match(first.text, /a\.txt: Modified$/m);
    review.plan = plan;
    review.lastDecision = { what: 'restore', id: '2', at: 0, files: [file] };
    const back = undoRestore();
    const second = await decideInPreview('bringBack');
    await back;
    assert.deepEqual(review.asked, ['plan undo restore', 'plan undo restore', 'undo restore']);
    assert.deepEqual(second.title, 'Undo Restore: The first');
    assert.deepEqual(other.asked, ['plan undo restore']);
  });

  it('doesn’t take a later decision back by the button of an earlier one', async () => {
    const file = bench.file('a.txt');
    review.addTurn({ turn: 1, prompt: 'Fix it', files: [file] });
    review.plan = {
      files: [{ file, kind: 'modified', text: 'before\n', isMerged: false }],
      leftAlone: [],
    };
    const panel = await opened();
    dialogs.answer = ({ text, choices }) => {
      if (text.startsWith('Restored ')) {
        review.lastDecision = { what: 'undo', id: 'later', at: 0, files: [file] };
      }
      return choices.find((one) => one === 'Undo Restore');
    };
    const restored = panel.restoreBefore(0);
    await decideInPreview('restore');
    await restored;
    await waitFor(
      () => dialogs.texts('information').some((text) => text.startsWith('Nothing was brought')),
      'the message',
    );
    assert.deepEqual(review.asked, ['plan 1', 'plan 1', 'restore 1']);
  });

  it('has nothing to restore after the last change', async () => {
    review.addTurn({ turn: 1, prompt: 'Fix it', files: ['/a.txt'] });
    const panel = await opened();
    await panel.restoreBefore(4);
    assert.deepEqual(review.asked, []);
  });
});

describe('what a session in another folder has changed', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  it('is found in its record as soon as the session is listed', async () => {
    const place = path.join(workspaceFolder(), 'below', randomUUID());
    await mkdir(place, { recursive: true });
    const file = path.join(place, 'a.txt');
    await writeFile(file, 'after\n');
    const reviews = await bench.api.storedReviews.get();
    // As another window has left it.
    const folder = path.join(path.dirname(bench.api.registryStorage.folder), 'review');
    const other = new StoredReviews({
      ...{ folder, files: new DiskFiles(), log: { warn: () => undefined } },
      blobs: (session) => new FolderBlobs(path.join(session, 'blobs')),
      places: () => Promise.resolve([]),
    });
    const { record } = await other.open(place, 'fake', 'below');
    await record.addTurn({ turn: 1, prompt: 'Fix it', began: 1 });
    const after = await record.contents.add(Buffer.from('after\n'));
    await record.addSteps({ by: 'agent', source: 'write', turn: 1 }, [
      { file, before: { kind: 'absent' }, after },
    ]);
    assert.equal(bench.api.reviews.pendingIn('fake', 'below'), 0);
    const session: Json = { sessionId: 'below', title: 'Below', cwd: place };
    await bench.setAgents({ fake: fakeEntry('Fake', { sessions: [session] }) });
    bench.api.choices.setScope('all');
    try {
      const node = await bench.session('Below');
      await waitFor(() => bench.api.reviews.pendingIn('fake', 'below') === 1, 'its record');
      const { view } = bench.api;
      await waitFor(
        () => String(view.getTreeItem(node).description).includes('1 to review'),
        'the row',
      );
    } finally {
      other.dispose();
      await reviews.forget('fake', 'below');
      await rm(path.dirname(place), { recursive: true });
    }
  });
});
