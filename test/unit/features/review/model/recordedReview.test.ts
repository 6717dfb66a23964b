import assert from 'node:assert/strict';
import fs from 'node:fs';
import type {
  LeftAlone,
  Outcome,
  Selection,
} from '../../../../../src/features/review/model/review';
import { MemoryBlobs } from '../../../../support/memoryBlobs';
import { posixOnly } from '../../../../support/posixOnly';
import { World } from './world';

const ten = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n';
const with_ = (changes: Readonly<Record<number, string>>): string =>
  ten.replace(/\d+/g, (line) => changes[Number(line)] ?? line);

describe('Reviewing what an agent changed', () => {
  let world: World;
  let blobs: MemoryBlobs;

  beforeEach(async () => {
    blobs = new MemoryBlobs();
    world = await new World(blobs).open();
    for (const turn of [1, 2, 3]) {
      await world.beginTurn(turn);
    }
  });

  afterEach(() => world.dispose());

  const all: Selection = { type: 'all' };
  const file = (name: string): Selection => ({ type: 'files', files: [world.path(name)] });
  const at = (name: string, start: number, end = start + 1): Selection => ({
    ...{ type: 'lines', file: world.path(name), lines: [{ start, end }] },
  });
  const names = ({ pending }: { pending: readonly { file: string }[] }): readonly string[] =>
    pending.map((it) => it.file.slice(world.folder.length + 1));
  const left = ({ leftAlone }: Outcome): readonly LeftAlone['reason'][] =>
    leftAlone.map(({ reason }) => reason);
  const states = (): readonly string[] => world.review.turns.map(({ state }) => state);

  /** Opens the record anew: the same answers must come from the journal alone. */
  async function reload(): Promise<void> {
    const { pending, turns } = world.review;
    world.review.dispose();
    await world.open();
    assert.deepEqual(world.review.pending, pending);
    assert.deepEqual(world.review.turns, turns);
  }

  it('lists what was changed, added and deleted, with the lines and the turns', async () => {
    world.write('a', ten);
    world.write('gone', 'x\ny\n');
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(1, 'new', 'n\n');
    await world.agent(2, 'gone', null);
    await world.agent(2, 'a', with_({ 2: 'two', 9: 'nine\nnine and a half' }));
    const facts = world.review.pending.map(({ kind, added, removed, turns, form }) => ({
      ...{ kind, added, removed, turns, form },
    }));
    const text = 'text' as const;
    assert.deepEqual(facts, [
      { kind: 'modified', added: 3, removed: 2, turns: [1, 2], form: text },
      { kind: 'deleted', added: 0, removed: 2, turns: [2], form: text },
      { kind: 'added', added: 1, removed: 0, turns: [1], form: text },
    ]);
    assert.deepEqual(
      world.review.turns.map(({ turn, prompt, added, removed }) => [turn, prompt, added, removed]),
      [
        [1, 'Prompt 1', 2, 1],
        [2, 'Prompt 2', 2, 3],
      ],
    );
    await reload();
  });

  it('undoing everything gives every byte back', async () => {
    const before = '\ufeffone\r\ntwo\nthree';
    world.write('a', before);
    world.write('empty', '');
    world.write('gone', 'x');
    await world.agent(1, 'a', '\ufeffone\r\n2\n3\n');
    await world.agent(1, 'empty', 'full');
    await world.agent(2, 'gone', null);
    await world.agent(3, 'sub/new', 'n');
    const outcome = await world.review.undo(all);
    assert.deepEqual([outcome.decided.length, outcome.leftAlone], [4, []]);
    assert.equal(world.text('a'), before);
    assert.equal(world.text('empty'), '');
    assert.equal(world.text('gone'), 'x');
    assert.equal(world.text('sub/new'), null);
    assert.deepEqual([names(world.review), states()], [[], ['undone', 'undone', 'undone']]);
    await reload();
  });

  it('keeping changes no file, and nothing is left to review', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.review.keep(all);
    assert.equal(world.text('a'), with_({ 2: 'two' }));
    assert.deepEqual([names(world.review), states()], [[], ['kept']]);
    assert.equal(await world.review.baseline(world.path('a')), with_({ 2: 'two' }));
    await world.agent(2, 'a', with_({ 2: 'two', 5: 'five' }));
    await world.review.undo(all);
    assert.equal(world.text('a'), with_({ 2: 'two' }));
    await reload();
  });

  it('single hunks are kept and undone', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two', 5: 'five', 9: 'nine' }));
    await world.review.keep(at('a', 2));
    await world.review.undo(at('a', 9));
    assert.equal(world.text('a'), with_({ 2: 'two', 5: 'five' }));
    assert.equal(await world.review.baseline(world.path('a')), with_({ 2: 'two' }));
    assert.deepEqual(states(), ['partly']);
    const hunks = await world.review.hunks(world.path('a'), world.text('a') ?? '');
    assert.deepEqual(hunks, [{ before: { start: 5, end: 6 }, now: { start: 5, end: 6 } }]);
    await world.review.undo(at('a', 5));
    assert.deepEqual([names(world.review), states()], [[], ['partly']]);
    assert.equal(world.text('a'), with_({ 2: 'two' }));
  });

  it('deleted lines come back where they were', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', ten.replace('5\n6\n', ''));
    const text = world.text('a') ?? '';
    assert.deepEqual(await world.review.hunks(world.path('a'), text), [
      { before: { start: 5, end: 7 }, now: { start: 5, end: 5 } },
    ]);
    await world.review.undo({
      type: 'lines',
      file: world.path('a'),
      lines: [{ start: 5, end: 5 }],
    });
    assert.equal(world.text('a'), ten);
  });

  it('one turn is undone, and the others stay', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(2, 'a', with_({ 2: 'two', 5: 'five' }));
    await world.agent(3, 'a', with_({ 2: 'two', 5: 'five', 9: 'nine' }));
    await world.review.undo({ type: 'turn', turn: 2 });
    assert.equal(world.text('a'), with_({ 2: 'two', 9: 'nine' }));
    assert.deepEqual(states(), ['pending', 'undone', 'pending']);
    await world.review.keep({ type: 'turn', turn: 3 });
    assert.deepEqual(states(), ['pending', 'undone', 'kept']);
    assert.deepEqual(world.review.pending[0]?.turns, [1]);
    await world.review.undo(all);
    assert.equal(world.text('a'), with_({ 9: 'nine' }));
    await reload();
  });

  it('what was kept of a turn stays when the turn is undone', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two', 5: 'five' }));
    await world.agent(2, 'a', with_({ 2: 'two', 5: 'five', 9: 'nine' }));
    await world.review.keep(at('a', 2));
    await world.review.undo({ type: 'turn', turn: 1 });
    assert.equal(world.text('a'), with_({ 2: 'two', 9: 'nine' }));
    assert.deepEqual(states(), ['partly', 'pending']);
  });

  it('what was undone of a turn isn’t put into the baseline when the turn is kept', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two', 5: 'five' }));
    await world.agent(2, 'a', with_({ 2: 'two', 5: 'five', 9: 'nine' }));
    await world.review.undo(at('a', 2));
    await world.review.keep({ type: 'turn', turn: 1 });
    assert.equal(await world.review.baseline(world.path('a')), with_({ 5: 'five' }));
    assert.equal(world.text('a'), with_({ 5: 'five', 9: 'nine' }));
  });

  it('undoing a turn keeps the lines that a later turn has changed again', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two', 8: 'eight' }));
    await world.agent(2, 'a', with_({ 2: 'zwei', 8: 'eight' }));
    await world.review.undo({ type: 'turn', turn: 1 });
    assert.equal(world.text('a'), with_({ 2: 'zwei' }));
  });

  it('the baseline since a turn has the changes of earlier turns', async () => {
    world.write('a', ten);
    await world.agent(1, 'a', with_({ 2: 'two' }));
    await world.agent(2, 'a', with_({ 2: 'two', 9: 'nine' }));
    assert.equal(await world.review.baseline(world.path('a')), ten);
    assert.equal(await world.review.baseline(world.path('a'), 1), ten);
    assert.equal(await world.review.baseline(world.path('a'), 2), with_({ 2: 'two' }));
    await world.agent(3, 'new', 'n\n');
    assert.equal(await world.review.baseline(world.path('new')), null);
    assert.equal(await world.review.baseline(world.path('other')), undefined);
  });

  describe('the user’s own text', () => {
    it('edits elsewhere in the file stay, told or not', async () => {
      world.write('a', ten);
      await world.agent(1, 'a', with_({ 2: 'two' }));
      await world.user(1, 'a', with_({ 2: 'two', 5: 'mine' }));
      world.write('a', with_({ 2: 'two', 5: 'mine', 9: 'mine, too' }));
      await world.review.undo(all);
      assert.equal(world.text('a'), with_({ 5: 'mine', 9: 'mine, too' }));
      await reload();
    });

    it('edits inside the agent’s lines are asked about first', async () => {
      world.write('a', ten);
      await world.agent(1, 'a', with_({ 2: 'two', 9: 'nine' }));
      await world.user(1, 'a', with_({ 2: 'two, mine', 9: 'nine' }));
      assert.equal(world.review.pending[0]?.isMixed, true);
      assert.deepEqual(left(await world.review.undo(all)), ['mixed']);
      assert.deepEqual(left(await world.review.undo({ type: 'turn', turn: 1 })), ['mixed']);
      assert.equal(world.text('a'), with_({ 2: 'two, mine', 9: 'nine' }));
      assert.deepEqual(left(await world.review.undo(file('a'))), []);
      assert.equal(world.text('a'), ten);
      await reload();
    });

    it('edits that nobody told of are asked about, even if the file was named', async () => {
      world.write('a', ten);
      await world.agent(1, 'a', with_({ 2: 'two' }));
      world.write('a', with_({ 2: 'two, mine' }));
      assert.deepEqual(left(await world.review.undo(file('a'))), ['mixed']);
      assert.equal(world.text('a'), with_({ 2: 'two, mine' }));
    });

    it('what the user took back by hand is undone', async () => {
      world.write('a', ten);
      await world.agent(1, 'a', with_({ 2: 'two' }));
      await world.user(1, 'a', ten);
      assert.deepEqual([names(world.review), states()], [[], ['undone']]);
    });

    it('a file that the user deleted isn’t brought back', async () => {
      world.write('a', ten);
      await world.agent(1, 'a', with_({ 2: 'two' }));
      world.write('a', null);
      assert.deepEqual(await world.review.undo(all), { decided: [], leftAlone: [] });
      assert.equal(world.text('a'), null);
      assert.deepEqual(names(world.review), []);
    });

    it('text in a file that the agent added isn’t deleted with it', async () => {
      await world.agent(1, 'a', 'agent\n');
      await world.user(1, 'a', 'agent\nmine\n');
      assert.deepEqual(left(await world.review.undo(all)), ['mixed']);
      assert.equal(world.text('a'), 'agent\nmine\n');
    });

    it('hunks in a text that is being edited are the agent’s only', async () => {
      world.write('a', ten);
      await world.agent(1, 'a', with_({ 5: 'five' }));
      const typed = with_({ 1: 'mine\n1', 5: 'five', 9: 'mine' });
      assert.deepEqual(await world.review.hunks(world.path('a'), typed), [
        { before: { start: 5, end: 6 }, now: { start: 6, end: 7 } },
      ]);
      const windows = with_({ 5: 'five' }).replaceAll('\n', '\r\n');
      assert.deepEqual(await world.review.hunks(world.path('a'), windows), [
        { before: { start: 5, end: 6 }, now: { start: 5, end: 6 } },
      ]);
    });

    it('an unsaved document that can’t be changed is left alone', async () => {
      world.write('a', ten);
      await world.agent(1, 'a', with_({ 5: 'five' }));
      world.files.unsaved.set(world.path('a'), with_({ 1: 'mine\n1', 5: 'five' }));
      assert.deepEqual(left(await world.review.undo(at('a', 6))), ['dirty']);
      world.files.unsaved.clear();
      assert.deepEqual(left(await world.review.undo(at('a', 5))), []);
      assert.equal(world.text('a'), ten);
    });
  });

  describe('files of other kinds', () => {
    it('binary files are decided as a whole', async () => {
      const [old, new_] = [Buffer.from([0, 1, 2, 255]), Buffer.from([0, 3, 254])];
      world.write('a', old);
      await world.agent(1, 'a', new_);
      assert.equal(world.review.pending[0]?.form, 'binary');
      assert.equal(await world.review.baseline(world.path('a')), undefined);
      await world.review.undo(all);
      assert.deepEqual(fs.readFileSync(world.path('a')), old);
    });

    it('bytes that aren’t text in the file’s encoding come back exactly', async () => {
      const old = Buffer.from([0x61, 0xff, 0x0a]);
      world.write('a', old);
      await world.agent(1, 'a', Buffer.from([0x62, 0xff, 0x0a]));
      assert.equal(world.review.pending[0]?.form, 'binary');
      await world.review.undo(all);
      assert.deepEqual(fs.readFileSync(world.path('a')), old);
    });

    it('a file over 5 MB is decided as a whole', async () => {
      const large = 'x\n'.repeat(3 * 1024 * 1024);
      world.write('a', large);
      await world.agent(1, 'a', `${large}y\n`);
      assert.equal(world.review.pending[0]?.form, 'tooLarge');
      await world.review.undo(all);
      assert.equal(world.text('a'), large);
    });

    it('a file whose content isn’t kept can only be kept', async () => {
      const before = { kind: 'unkept', reason: 'tooLarge' } as const;
      world.write('a', 'x');
      const change = { file: world.path('a'), before, after: await world.state('a') };
      await world.review.record.addSteps({ by: 'agent', source: 'checkpoint', turn: 1 }, [change]);
      assert.equal(world.review.pending[0]?.form, 'unkept');
      assert.deepEqual(left(await world.review.undo(all)), ['unkept']);
      await world.review.keep(all);
      assert.deepEqual(names(world.review), []);
      await reload();
    });

    it('a file outside of the folders is shown and never changed', async () => {
      world.write('a', 'old');
      const before = await world.state('a');
      world.write('a', 'new');
      const after = await world.state('a');
      const change = { file: world.path('a'), before, after, isOutside: true };
      await world.review.record.addSteps({ by: 'agent', source: 'write', turn: 1 }, [change]);
      assert.equal(world.review.pending[0]?.isOutside, true);
      assert.deepEqual(left(await world.review.undo(all)), ['outside']);
      assert.deepEqual(left((await world.review.planRestore(1)) as never), ['outside']);
      assert.equal(world.text('a'), 'new');
    });

    posixOnly('a program stays executable', async () => {
      world.write('a', 'old\n');
      fs.chmodSync(world.path('a'), 0o755);
      await world.agent(1, 'a', 'new\n');
      await world.review.undo(all);
      assert.equal(world.text('a'), 'old\n');
      assert.notEqual(fs.statSync(world.path('a')).mode & 0o100, 0);
    });

    it('a moved file goes back, with its text', async () => {
      world.write('a', ten);
      await world.agent(1, 'a', with_({ 2: 'two' }));
      await world.agentMoves(2, 'a', 'sub/b', with_({ 2: 'two', 9: 'nine' }));
      const [moved, ...more] = world.review.pending;
      assert.deepEqual(more, []);
      assert.deepEqual(
        [moved?.kind, moved?.movedFrom, moved?.file, moved?.turns],
        ['moved', world.path('a'), world.path('sub/b'), [1, 2]],
      );
      await world.review.undo(at('sub/b', 9));
      assert.equal(world.text('sub/b'), with_({ 2: 'two' }));
      await reload();
      await world.review.undo(all);
      assert.deepEqual([world.text('a'), world.text('sub/b')], [ten, null]);
      assert.deepEqual(names(world.review), []);
      await reload();
    });

    it('a moved file whose old path is taken stays where it is', async () => {
      world.write('a', ten);
      await world.agentMoves(1, 'a', 'b');
      world.write('a', 'mine');
      assert.deepEqual(left(await world.review.undo(all)), ['changedSince']);
      assert.deepEqual([world.text('a'), world.text('b')], ['mine', ten]);
    });

    it('a read-only file is named, and the others are undone', async () => {
      world.write('a', 'a');
      world.write('b', 'b');
      await world.agent(1, 'a', 'A');
      await world.agent(1, 'b', 'B');
      world.files.readOnly.add(world.path('a'));
      const outcome = await world.review.undo(all);
      assert.deepEqual([outcome.decided, left(outcome)], [[world.path('b')], ['readOnly']]);
      assert.deepEqual([names(world.review), states()], [['a'], ['partly']]);
    });

    it('names with odd characters are names', async () => {
      const name = 'ä ‮ "quoted" \\ %00 $HOME {0}.txt';
      await world.agent(1, name, 'x');
      await reload();
      assert.deepEqual(names(world.review), [name]);
      await world.review.undo(all);
      assert.equal(world.text(name), null);
    });

    it('contents that the disk has lost are said to be so', async () => {
      world.write('a', 'old');
      await world.agent(1, 'a', 'new');
      const { base } = world.review.record.state.files.get(world.path('a')) ?? {};
      blobs.lose(base?.kind === 'file' ? base.hash : '');
      await reload();
      assert.deepEqual(left(await world.review.undo(all)), ['unkept']);
      assert.equal(world.text('a'), 'new');
    });
  });

  it('while a turn runs, what the record doesn’t know yet is left alone', async () => {
    world.write('a', 'old');
    await world.agent(1, 'a', 'new');
    world.review.running = { isRunning: true, refresh: () => Promise.resolve() };
    world.write('a', 'newer');
    assert.deepEqual(left(await world.review.undo(all)), ['changedSince']);
    assert.equal(world.text('a'), 'newer');
  });
});
