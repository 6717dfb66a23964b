import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { computeHash } from '../../../../../src/features/review/model/record/contents';
import { absent } from '../../../../../src/features/review/model/record/fileState';
import type { DecidedFile } from '../../../../../src/features/review/model/record/journalLines';
import type {
  Outcome,
  Selection,
  SessionReview,
} from '../../../../../src/features/review/model/review';
import { FolderBlobs } from '../../../../support/folderBlobs';
import { inProject } from '../../../../support/project';
import { World } from './world';

const all = { type: 'all' } as const;
const ten = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n';
const with_ = (changes: Readonly<Record<number, string>>): string =>
  ten.replace(/\d+/g, (line) => changes[Number(line)] ?? line);

describe('Reviewing one session in several windows', () => {
  let world: World;

  beforeEach(async () => {
    world = await new World().open();
    await world.beginTurn(1);
  });

  afterEach(() => world.dispose());

  const names = ({ pending }: SessionReview): readonly string[] =>
    pending.map((it) => it.file.slice(world.folder.length + 1));

  it('a decision appears in the other', async () => {
    const other = await world.window();
    await world.agent(1, 'a', 'x\n');
    await other.refresh();
    assert.deepEqual(names(other), ['a']);
    await other.keep(all);
    await world.review.refresh();
    assert.deepEqual(names(world.review), []);
    other.dispose();
  });

  it('of two decisions at once about a file the first one counts', async () => {
    world.write('a', 'old\n');
    await world.agent(1, 'a', 'new\n');
    const other = await world.window();
    // The other window has decided, and this one hasn't heard of it.
    const { record } = world.review;
    const before = record.state.files.get(world.path('a'));
    await other.keep(all);
    assert.equal(record.state.files.get(world.path('a')), before);
    const decided = {
      ...before!,
      base: absent,
      turns: [],
      was: [before!.seen, before!.base] as const,
      of: [1],
    };
    await record.append([{ type: 'keep', at: 1, files: [decided satisfies DecidedFile] }]);
    for (const review of [world.review, other, await world.window()]) {
      await review.refresh();
      assert.equal(await review.baseline(world.path('a')), 'new\n');
      assert.deepEqual([names(review), review.turns[0]?.state], [[], 'kept']);
      review.dispose();
    }
  });

  it('a file that one keeps and the other undoes is the same in both', async () => {
    world.write('a', 'old\n');
    await world.agent(1, 'a', 'new\n');
    const other = await world.window();
    await Promise.all([world.review.keep(all), other.undo(all)]);
    await Promise.all([world.review.refresh(), other.refresh()]);
    const [one, two] = [world.review, other].map(({ record }) =>
      record.state.files.get(world.path('a')),
    );
    assert.deepEqual(one, two);
    assert.equal(
      one?.seen.kind === 'file' && one.seen.hash,
      computeHash(Buffer.from(world.text('a')!)),
    );
    other.dispose();
  });
});

describe('Reviewing one session in two processes', () => {
  let world: World;
  let blobs: string;

  beforeEach(async () => {
    blobs = fs.mkdtempSync(path.join(os.tmpdir(), 'acp-review-blobs-'));
    world = await new World(new FolderBlobs(blobs)).open();
    fs.mkdirSync(world.store, { recursive: true });
    fs.symlinkSync(blobs, path.join(world.store, 'blobs'));
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two', 9: 'nine' }));
  });

  afterEach(() => {
    world.dispose();
    fs.rmSync(blobs, { recursive: true, force: true });
  });

  const program = inProject('out/unit/features/review/model/decide.main.mjs');
  const second: Selection = { type: 'lines', file: '', lines: [{ start: 2, end: 3 }] };

  async function elsewhere(what: 'keep' | 'undo', selection: Selection): Promise<Outcome> {
    const of = selection.type === 'lines' ? { ...selection, file: world.path('a') } : selection;
    const child = fork(program, [world.store, what, JSON.stringify(of)]);
    const gone = once(child, 'exit');
    const [outcome] = (await once(child, 'message')) as [Outcome];
    await gone;
    return outcome;
  }

  /** Another process decides after a step was worked out, and before it is in the journal. */
  function decideMeanwhile(what: 'keep' | 'undo', selection: Selection): void {
    const { record } = world.review;
    const append = record.append.bind(record);
    record.append = async (lines, isStillRight) => {
      record.append = append;
      await elsewhere(what, selection);
      // As if this window's watcher had told nothing yet.
      return append(lines, isStillRight);
    };
  }

  /** Returns the baseline in this window, and in one that has only the journal; both know the same. */
  async function baselines(): Promise<readonly (string | null | undefined)[]> {
    const other = await world.window();
    const both = [world.review, other].map((review) => review.baseline(world.path('a')));
    assert.deepEqual(other.pending, world.review.pending);
    assert.deepEqual(other.turns, world.review.turns);
    other.dispose();
    return Promise.all(both);
  }

  it('a decision counts that comes before an edit of the user’s is recorded', async () => {
    decideMeanwhile('keep', second);
    await world.user(1, 'a', with_({ 2: 'two', 5: 'mine', 9: 'nine' }));
    const base = with_({ 2: 'two', 5: 'mine' });
    assert.deepEqual(await baselines(), [base, base]);
    await world.review.undo(all);
    assert.equal(world.text('a'), base);
  });

  it('a decision counts that comes before a change of the agent’s is recorded', async () => {
    await world.beginTurn(2);
    decideMeanwhile('keep', all);
    await world.agent(2, 'a', with_({ 2: 'two', 7: 'seven', 9: 'nine' }));
    const base = with_({ 2: 'two', 9: 'nine' });
    assert.deepEqual(await baselines(), [base, base]);
    const [pending] = world.review.pending;
    assert.deepEqual([pending?.turns, pending?.added, pending?.removed], [[2], 1, 1]);
    await world.review.undo(all);
    assert.equal(world.text('a'), base);
  });

  it('a file that was undone in between begins with what is left of it', async () => {
    const { record } = world.review;
    const change = { file: world.path('a'), before: await world.state('a') };
    decideMeanwhile('undo', second);
    // The agent goes on from what the other window has left.
    const after = await record.contents.add(Buffer.from(with_({ 7: 'seven', 9: 'nine' })));
    await record.addSteps({ by: 'agent', source: 'write', turn: 2 }, [{ ...change, after }]);
    world.write('a', with_({ 7: 'seven', 9: 'nine' }));
    assert.deepEqual(await baselines(), [ten, ten]);
    await world.review.undo({ type: 'turn', turn: 2 });
    assert.equal(world.text('a'), with_({ 9: 'nine' }));
  });

  it('while a turn runs here, another process leaves alone what it doesn’t know', async () => {
    const turn = { turn: 2, prompt: '', began: Date.now() };
    await world.review.record.addTurn(turn);
    world.write('a', with_({ 2: 'two', 7: 'seven', 9: 'nine' }));
    const { leftAlone } = await elsewhere('undo', all);
    assert.deepEqual(
      leftAlone.map(({ reason }) => reason),
      ['changedSince'],
    );
    await world.review.record.addTurn({ ...turn, isOver: true });
    assert.deepEqual((await elsewhere('undo', all)).leftAlone, []);
    assert.equal(world.text('a'), with_({ 7: 'seven' }));
  });
});
