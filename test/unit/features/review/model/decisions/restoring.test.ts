import assert from 'node:assert/strict';
import path from 'node:path';
import { World } from '../world';

const ten = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n';
const with_ = (changes: Readonly<Record<number, string>>): string =>
  ten.replace(/\d+/g, (line) => changes[Number(line)] ?? line);

describe('Restoring to before a turn', () => {
  let world: World;

  beforeEach(async () => {
    world = await new World().open();
    for (const turn of [1, 2, 3]) {
      await world.beginTurn(turn);
    }
  });

  afterEach(() => world.dispose());

  const pending = (): readonly string[] =>
    world.review.pending.map((it) => it.file.slice(world.folder.length + 1));
  const states = (): readonly string[] => world.review.turns.map(({ state }) => state);

  async function restore(turn: number): Promise<readonly string[]> {
    const { leftAlone } = await world.review.restore(await world.review.planRestore(turn));
    return leftAlone.map(({ reason }) => reason);
  }

  it('plans first, and does nothing by planning', async () => {
    world.write('a', ten);
    world.write('gone', 'x');
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(2, 'a', with_({ 2: 'two', 9: 'nine' }));
    await world.agent(2, 'new', 'n');
    await world.agent(2, 'gone', null);
    const plan = await world.review.planRestore(2);
    const files = plan.files.map(({ file, kind, text, isMerged }) => [
      ...[file.slice(world.folder.length + 1), kind, text, isMerged],
    ]);
    assert.deepEqual(files.sort(), [
      ['a', 'modified', with_({ 2: 'two' }), false],
      ['gone', 'added', 'x', false],
      ['new', 'deleted', null, false],
    ]);
    assert.equal(world.text('new'), 'n');
    assert.equal(world.review.lastDecision, undefined);
  });

  it('brings the files back, and Undo Restore brings the changes back', async () => {
    world.write('a', ten);
    world.write('gone', 'x');
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(2, 'a', with_({ 2: 'two', 9: 'nine' }));
    await world.agent(2, 'new', 'n');
    await world.agent(3, 'gone', null);
    const before = world.review.pending;
    assert.deepEqual(await restore(2), []);
    assert.deepEqual(
      [world.text('a'), world.text('new'), world.text('gone')],
      [with_({ 2: 'two' }), null, 'x'],
    );
    assert.deepEqual([pending(), states()], [['a'], ['pending', 'undone', 'undone']]);
    assert.deepEqual(world.review.pending[0]?.turns, [1]);
    assert.ok(world.review.lastDecision);
    world.review.dispose();
    await world.open();
    assert.deepEqual((await world.review.takeBack()).leftAlone, []);
    assert.deepEqual(
      [world.text('a'), world.text('new'), world.text('gone')],
      [with_({ 2: 'two', 9: 'nine' }), 'n', null],
    );
    assert.deepEqual(world.review.pending, before);
    assert.deepEqual(states(), ['pending', 'pending', 'pending']);
    assert.equal(world.review.lastDecision, undefined);
  });

  it('SEC-81: what would be deleted for good is asked about first, and stays unless the user agrees', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(1, 'new', 'n');
    const asked: (readonly string[])[] = [];
    let answer: 'declined' | 'forGood' = 'declined';
    world.files.onDelete = (files) => {
      asked.push(files);
      return answer;
    };
    const replaced: unknown[] = [];
    world.files.onReplace = (_file, { forGood }) => replaced.push(forGood);
    const { decided, leftAlone } = await world.review.undo({ type: 'all' });
    const file = world.path('new');
    assert.deepEqual([decided, leftAlone], [[world.path('a')], [{ file, reason: 'declined' }]]);
    assert.deepEqual([world.text('new'), pending()], ['n', ['new']]);
    answer = 'forGood';
    assert.deepEqual((await world.review.undo({ type: 'all' })).leftAlone, []);
    assert.equal(world.text('new'), null);
    assert.deepEqual(
      [asked, replaced],
      [
        [[file], [file]],
        [false, true],
      ],
    );
  });

  it('brings back what was undone, whatever it was, with its turns', async () => {
    world.write('a', ten);
    world.write('gone', 'x');
    world.write('binary', Buffer.from([0, 1]));
    world.write('from', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.review.keep({ type: 'all' });
    await world.agent(2, 'a', with_({ 2: 'two', 9: 'nine' }));
    await world.agent(2, 'new', 'n');
    await world.agent(3, 'gone', null);
    await world.agent(3, 'binary', Buffer.from([0, 2]));
    await world.agentMoves(3, 'from', 'to', with_({ 5: 'five' }));
    const [before, statesBefore] = [world.review.pending, states()];
    const texts = (): readonly (string | null)[] =>
      ['a', 'new', 'gone', 'binary', 'from', 'to'].map((name) => world.text(name));
    const changed = texts();
    assert.deepEqual((await world.review.undo({ type: 'all' })).leftAlone, []);
    assert.deepEqual(texts(), [with_({ 2: 'two' }), null, 'x', '\0\u0001', ten, null]);
    world.review.dispose();
    await world.open();
    assert.ok(world.review.lastDecision);
    assert.deepEqual((await world.review.takeBack()).leftAlone, []);
    assert.deepEqual(texts(), changed);
    assert.deepEqual(world.review.pending, before);
    assert.deepEqual(states(), statesBefore);
    assert.equal(world.review.lastDecision, undefined);
  });

  it('brings back undone lines, and nothing of the restore before them', async () => {
    world.write('a', ten);
    world.write('b', ten);
    await world.agent(1, 'a', with_({ 2: 'two', 9: 'nine' }));
    await world.agent(2, 'b', with_({ 2: 'two' }));
    await restore(2);
    const lines = [{ start: 2, end: 3 }];
    await world.review.undo({ type: 'lines', file: world.path('a'), lines });
    assert.deepEqual([world.text('a'), world.text('b')], [with_({ 9: 'nine' }), ten]);
    await world.review.takeBack();
    assert.deepEqual([world.text('a'), world.text('b')], [with_({ 2: 'two', 9: 'nine' }), ten]);
    assert.deepEqual(world.review.pending[0]?.turns, [1]);
  });

  it('says what taking a decision back would do, and does nothing by saying so', async () => {
    world.write('a', ten);
    world.write('from', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(1, 'new', 'n');
    await world.agentMoves(1, 'from', 'to', with_({ 5: 'five' }));
    const changed = ['a', 'new', 'from', 'to'].map((name) => world.text(name));
    const { decision } = await world.review.undo({ type: 'all' });
    world.write('a', with_({ 9: 'mine' }));
    const plan = await world.review.planTakeBack();
    const { what, id, at, files: names } = world.review.lastDecision ?? {};
    assert.deepEqual([what, id], ['undo', decision]);
    assert.ok(at !== undefined && at > 0);
    assert.deepEqual(names?.map((file) => path.basename(file)).sort(), ['a', 'new', 'to']);
    const files = plan?.files.map(({ file, movedFrom, kind, text, isMerged }) => [
      ...[path.basename(file), movedFrom && path.basename(movedFrom), kind, text, isMerged],
    ]);
    assert.deepEqual(files?.sort(), [
      ['a', undefined, 'modified', with_({ 2: 'two', 9: 'mine' }), true],
      ['new', undefined, 'added', 'n', false],
      ['to', 'from', 'moved', with_({ 5: 'five' }), false],
    ]);
    assert.deepEqual([world.text('a'), world.text('new')], [with_({ 9: 'mine' }), null]);
    world.write('new', 'mine, too');
    const { leftAlone } = await world.review.takeBack(plan);
    assert.deepEqual(
      leftAlone.map(({ file }) => path.basename(file)),
      ['new'],
    );
    assert.deepEqual(
      ['a', 'new', 'from', 'to'].map((name) => world.text(name)),
      [with_({ 2: 'two', 9: 'mine' }), 'mine, too', changed[2], changed[3]],
    );
  });

  it('takes back the decision that is named, not one that came later in another window', async () => {
    world.write('a', ten);
    world.write('b', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(1, 'b', with_({ 2: 'two' }));
    const files = (name: string) => ({ type: 'files' as const, files: [world.path(name)] });
    const { decision } = await world.review.undo(files('a'));
    const plan = await world.review.planTakeBack();
    const other = await world.window();
    const later = await other.undo(files('b'));
    const nothing = await world.review.takeBack(decision);
    assert.deepEqual(nothing, { decided: [], leftAlone: [] });
    const { decided, leftAlone } = await world.review.takeBack(plan);
    assert.deepEqual([decided, leftAlone.length], [[], 1]);
    assert.deepEqual([world.text('a'), world.text('b')], [ten, ten]);
    assert.equal((await world.review.takeBack(later.decision)).decision, undefined);
    assert.deepEqual([world.text('a'), world.text('b')], [ten, with_({ 2: 'two' })]);
    other.dispose();
  });

  it('goes behind what was kept, and back to it', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.review.keep({ type: 'all' });
    await restore(1);
    assert.deepEqual([world.text('a'), pending()], [ten, []]);
    await world.review.takeBack();
    assert.deepEqual([world.text('a'), pending()], [with_({ 2: 'two' }), []]);
  });

  it('merges what the user has changed since', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.user(1, 'a', with_({ 2: 'two', 5: 'mine' }));
    world.write('a', with_({ 2: 'two', 5: 'mine', 9: 'mine, too' }));
    const plan = await world.review.planRestore(1);
    assert.deepEqual(
      plan.files.map(({ isMerged }) => isMerged),
      [true],
    );
    await world.review.restore(plan);
    assert.equal(world.text('a'), with_({ 5: 'mine', 9: 'mine, too' }));
    world.write('a', with_({ 5: 'mine', 7: 'later', 9: 'mine, too' }));
    await world.review.takeBack();
    assert.equal(world.text('a'), with_({ 2: 'two', 5: 'mine', 7: 'later', 9: 'mine, too' }));
  });

  it('leaves a file alone whose changes can’t be merged', async () => {
    world.write('a', ten);
    world.write('b', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(1, 'b', with_({ 2: 'two' }));
    await world.user(1, 'a', with_({ 2: 'two and mine' }));
    assert.deepEqual(await restore(1), ['mixed']);
    assert.deepEqual([world.text('a'), world.text('b')], [with_({ 2: 'two and mine' }), ten]);
  });

  it('what changed since the plan was made is left alone', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    const plan = await world.review.planRestore(1);
    world.write('a', with_({ 2: 'two', 5: 'mine' }));
    const { leftAlone } = await world.review.restore(plan);
    assert.deepEqual(
      leftAlone.map(({ reason }) => reason),
      ['changedSince'],
    );
    assert.equal(world.text('a'), with_({ 2: 'two', 5: 'mine' }));
  });

  it('moved files go back to their paths, and forth', async () => {
    world.write('a', ten);
    await world.agentMoves(1, 'a', 'b', with_({ 2: 'two' }));
    assert.deepEqual(await restore(1), []);
    assert.deepEqual([world.text('a'), world.text('b'), pending()], [ten, null, []]);
    await world.review.takeBack();
    assert.deepEqual([world.text('a'), world.text('b')], [null, with_({ 2: 'two' })]);
    assert.deepEqual(
      world.review.pending.map(({ kind }) => kind),
      ['moved'],
    );
  });

  it('a file that was only moved waits for review again when its restoration is undone', async () => {
    world.write('a', ten);
    await world.agentMoves(1, 'a', 'b');
    const before = world.review.pending;
    const plan = await world.review.planRestore(1);
    assert.deepEqual(
      plan.files.map(({ file, movedFrom }) => [file, movedFrom]),
      [[world.path('a'), world.path('b')]],
    );
    await world.review.restore(plan);
    assert.deepEqual(pending(), []);
    await world.review.takeBack();
    assert.deepEqual(world.review.pending, before);
    assert.deepEqual(states(), ['pending']);
  });

  it('binary files are restored', async () => {
    world.write('a', Buffer.from([0, 1]));
    await world.agent(1, 'a', Buffer.from([0, 2]));
    const plan = await world.review.planRestore(1);
    assert.equal(plan.files[0]?.text, undefined);
    await world.review.restore(plan);
    assert.equal(world.text('a'), '\0\u0001');
  });
});
