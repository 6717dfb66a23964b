import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readWork } from '../../../../../../src/features/review/model/atWork/workLines';
import { journalBounds } from '../../../../../../src/features/review/model/record/journalLines';
import { recordFolder } from '../../../../../../src/features/review/model/recordFolders';
import { until } from '../../../../../support/until';
import { RecorderWorld, ten, with_ } from './recorderWorld';

describe('Recording turns in which more happens', () => {
  let world: RecorderWorld;

  beforeEach(() => {
    world = new RecorderWorld();
  });

  afterEach(() => world.dispose());

  describe('what the agent has changed by itself before it writes through us', () => {
    it('is offered, too, when a checkpoint knows how the file began', async () => {
      world.write('a', ten);
      world.write('b', ten);
      await world.session.begin('Do it');
      world.write('a', with_({ 2: 'two' }));
      await world.session.write(world.at('a'), world.writing('a', with_({ 2: 'two', 9: 'nine' })));
      fs.rmSync(world.at('b'));
      await world.session.write(world.at('b'), world.writing('b', 'new'));
      assert.deepEqual(
        [
          await world.review().baseline(world.at('a')),
          await world.review().baseline(world.at('b')),
        ],
        [ten, ten],
      );
      await world.end();
      await world.review().undo({ type: 'all' });
      assert.deepEqual([world.text('a'), world.text('b')], [ten, ten]);
    });

    it('is told apart from what the user saved before', async () => {
      world.write('a', ten);
      await world.session.begin('Do it');
      await world.save('a', with_({ 5: 'mine' }));
      world.write('a', with_({ 2: 'two', 5: 'mine' }));
      await world.session.write(
        world.at('a'),
        world.writing('a', with_({ 2: 'two', 5: 'mine', 9: 'nine' })),
      );
      await world.end();
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), with_({ 5: 'mine' }));
    });

    it('is added to what was pending, and the user’s edits between turns aren’t', async () => {
      world.write('a', ten);
      await world.session.begin('First');
      world.write('a', with_({ 2: 'two' }));
      await world.end();
      world.write('a', with_({ 2: 'two', 5: 'mine' }));
      await world.session.begin('Second');
      world.write('a', with_({ 2: 'two', 5: 'mine', 7: 'seven' }));
      await world.session.write(
        world.at('a'),
        world.writing('a', with_({ 2: 'two', 5: 'mine', 7: 'seven', 9: 'nine' })),
      );
      await world.end();
      await world.review().undo({ type: 'turn', turn: 2 });
      assert.equal(world.text('a'), with_({ 2: 'two', 5: 'mine' }));
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), with_({ 5: 'mine' }));
    });

    it('isn’t known without a checkpoint, and the turn says so', async () => {
      world.checkpoints.no = 'noGit';
      world.write('a', ten);
      await world.session.begin('Do it');
      world.write('a', with_({ 2: 'two' }));
      await world.session.write(world.at('a'), world.writing('a', with_({ 2: 'two', 9: 'nine' })));
      await world.end();
      assert.equal(world.review().turns[0]?.incomplete, 'noGit');
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), with_({ 2: 'two' }));
    });

    it('isn’t known when nobody can look, and the write is recorded', async () => {
      world.checkpoints.earlier = () => Promise.reject(new Error('broken'));
      world.write('a', ten);
      await world.session.begin('Do it');
      await world.session.write(world.at('a'), world.writing('a', 'new'));
      assert.deepEqual(world.pending(), ['a']);
      await world.end();
      assert.match(world.warnings.splice(0).join(), /its beginning is unknown/);
    });
  });

  describe('turns that the agent begins by itself', () => {
    it('are recorded, told apart from prompted ones, and taken back', async () => {
      world.write('a', ten);
      await world.session.begin('Do it');
      world.write('a', with_({ 2: 'two' }));
      await world.end();
      world.session.beginUnprompted('Do it');
      await until(() => world.review().turns.length === 1 && world.checkpoints.taken === 3);
      world.write('a', with_({ 2: 'two', 9: 'nine' }));
      await world.end();
      const { turns } = world.review();
      assert.deepEqual(
        turns.map(({ turn, prompt, isUnprompted }) => [turn, prompt, isUnprompted]),
        [
          [1, 'Do it', undefined],
          [2, 'Do it', true],
        ],
      );
      assert.equal(turns[1]?.isLate, undefined);
      await world.review().undo({ type: 'turn', turn: 2 });
      assert.equal(world.text('a'), with_({ 2: 'two' }));
    });

    it('have what was reported before their first checkpoint, and say that more may be missing', async () => {
      world.write('a', ten);
      world.write('b', 'unreported\n');
      world.session.beginUnprompted('');
      world.write('a', with_({ 2: 'two' }));
      world.session.acted();
      world.session.completed(world.call('edit', { diffs: [world.diff('a', '2\n', 'two\n')] }));
      await until(() => world.reviews.of('a', 's')?.pending.length === 1);
      world.write('a', with_({ 2: 'two', 9: 'nine' }));
      await world.end();
      assert.equal(world.review().turns[0]?.isLate, true);
      assert.deepEqual(world.pending(), ['a']);
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), ten);
    });

    it('are known again after a reload, with how many were before each turn', async () => {
      world.write('a', ten);
      world.session.beginUnprompted('Earlier');
      await until(() => world.reviews.of('a', 's') !== undefined);
      await until(() => world.review().record.state.lastTurn === 1);
      world.write('a', with_({ 2: 'two' }));
      await world.end();
      await world.session.begin('Do it');
      world.write('a', with_({ 2: 'two', 9: 'nine' }));
      await world.end();
      const again = await world.reopened();
      assert.deepEqual(
        again.turns.map(({ isUnprompted, unpromptedBefore }) => [isUnprompted, unpromptedBefore]),
        [
          [true, undefined],
          [undefined, 1],
        ],
      );
    });
  });

  describe('decisions while a turn runs', () => {
    beforeEach(async () => {
      world.write('a', ten);
      world.write('b', ten);
      await world.session.begin('First');
      world.write('a', with_({ 2: 'two' }));
      world.write('b', with_({ 2: 'two' }));
      await world.end();
      await world.session.begin('Second');
    });

    it('aren’t taken for changes by the agent', async () => {
      await world.review().undo({ type: 'files', files: [world.at('a')] });
      await world.review().keep({ type: 'files', files: [world.at('b')] });
      await world.end();
      assert.deepEqual(world.pending(), []);
      assert.deepEqual(world.text('a'), ten);
    });

    it('have their ends written, as the turn has, when it is over', async () => {
      await world.review().undo({ type: 'files', files: [world.at('a')] });
      world.session.end();
      // In the very moment: a write that is late takes some more.
      while (world.review().running !== undefined) {
        await setImmediate();
      }
      const folder = world.at(path.join('.store', 'at-work'));
      const works = fs
        .readdirSync(folder)
        .map((name) => readWork(fs.readFileSync(path.join(folder, name), 'utf8')));
      assert.notEqual(works.length, 0);
      assert.deepEqual(
        works.filter((work) => work?.ended === undefined),
        [],
      );
    });

    it('stay apart from what the agent changes afterwards in the same files', async () => {
      await world.review().undo({ type: 'files', files: [world.at('a')] });
      await world.review().keep({ type: 'files', files: [world.at('b')] });
      world.write('a', with_({ 9: 'nine' }));
      world.write('b', with_({ 2: 'two', 9: 'nine' }));
      await world.end();
      assert.deepEqual(
        world.review().pending.map(({ turns, added }) => [turns, added]),
        [
          [[2], 1],
          [[2], 1],
        ],
      );
      await world.review().undo({ type: 'all' });
      assert.deepEqual([world.text('a'), world.text('b')], [ten, with_({ 2: 'two' })]);
    });

    it('are over before the turn is when it ends in the middle of one', async () => {
      const replace = world.files.replace.bind(world.files);
      world.files.replace = async (all, done) => {
        world.files.replace = replace;
        const first = await replace(all.slice(0, 1), done);
        world.session.end();
        const { taken } = world.checkpoints;
        await until(() => world.checkpoints.taken > taken);
        world.write('c', 'new');
        return [...first, ...(await replace(all.slice(1), done))];
      };
      const { decided } = await world.review().undo({ type: 'all' });
      assert.equal(decided.length, 2);
      await world.end();
      assert.deepEqual([world.pending(), world.text('a'), world.text('b')], [[], ten, ten]);
    });

    it('leave alone what the agent changes in the middle of one, which is still its change', async () => {
      const replace = world.files.replace.bind(world.files);
      world.files.replace = (all, done) => {
        world.files.replace = replace;
        world.write('b', with_({ 2: 'two', 9: 'nine' }));
        return replace(all, done);
      };
      const { leftAlone } = await world.review().undo({ type: 'all' });
      assert.deepEqual(leftAlone, [{ file: world.at('b'), reason: 'changedSince' }]);
      await world.end();
      assert.deepEqual(
        world.review().pending.map(({ file, turns }) => [file, turns]),
        [[world.at('b'), [1, 2]]],
      );
      await world.review().undo({ type: 'all' });
      assert.deepEqual([world.text('a'), world.text('b')], [ten, ten]);
    });
  });

  it('a full record says so, and what waits can still be decided', async () => {
    world.write('a', ten);
    await world.session.begin('First');
    world.write('a', with_({ 2: 'two' }));
    await world.end();
    const folder = recordFolder(world.at('.store'), world.folder, ['a', 's']);
    const line = '\n{"type":"turn","turn":1,"prompt":"","began":1,"pid":1,"isOver":true}';
    const { lines, reservedLines } = journalBounds;
    fs.appendFileSync(path.join(folder, 'journal.ndjson'), line.repeat(lines - reservedLines));
    await world.session.begin('Second');
    world.write('b', 'new');
    await world.session.write(world.at('a'), world.writing('a', with_({ 2: 'two', 9: 'nine' })));
    await world.end();
    assert.deepEqual(world.pending(), ['a']);
    assert.match(world.warnings.splice(0).join(), /is full/);
    assert.deepEqual(
      world.review().unrecorded.map(({ turn, prompt, incomplete }) => [turn, prompt, incomplete]),
      [[2, 'Second', 'full']],
    );
    await world.review().keep({ type: 'all' });
    assert.deepEqual(world.pending(), []);
  });

  it('contents for which there is no room are known to have changed', async () => {
    world.write('a', ten);
    world.blobs.add = () => Promise.reject(new RangeError('too many'));
    await world.session.begin('Do it');
    await world.session.write(world.at('a'), world.writing('a', with_({ 2: 'two' })));
    await world.end();
    assert.deepEqual(
      world.review().pending.map(({ form }) => form),
      ['unkept'],
    );
    const { leftAlone } = await world.review().undo({ type: 'all' });
    assert.deepEqual(leftAlone, [{ file: world.at('a'), reason: 'unkept' }]);
    assert.equal(world.text('a'), with_({ 2: 'two' }));
  });

  it('two sessions that changed the same lines: the first one asks, and the last one goes back', async () => {
    world.write('a', ten);
    const other = world.sessionOf('t');
    await world.session.begin('One');
    await world.session.write(world.at('a'), world.writing('a', with_({ 2: 'two' })));
    await world.end();
    await other.begin('Two');
    await other.write(world.at('a'), world.writing('a', with_({ 2: 'zwei' })));
    await world.end(other, 't');
    const [one, two] = [world.review('s'), world.review('t')];
    for (const selection of [{ type: 'all' }, { type: 'turn', turn: 1 }] as const) {
      assert.deepEqual((await one.undo(selection)).leftAlone, [
        { file: world.at('a'), reason: 'mixed' },
      ]);
    }
    assert.deepEqual((await one.planRestore(1)).leftAlone, [
      { file: world.at('a'), reason: 'mixed' },
    ]);
    assert.equal(world.text('a'), with_({ 2: 'zwei' }));
    await two.undo({ type: 'all' });
    assert.equal(world.text('a'), with_({ 2: 'two' }));
    await one.undo({ type: 'files', files: [world.at('a')] });
    assert.equal(world.text('a'), ten);
  });

  it('checkpoints that were begun anew in between say so, and the rest of the turn is recorded', async () => {
    world.write('a', ten);
    world.write('b', ten);
    await world.session.begin('Do it');
    world.write('a', with_({ 2: 'two' }));
    world.write('b', with_({ 2: 'two' }));
    world.session.completed(world.call('edit', { diffs: [world.diff('a', '2\n', 'two\n')] }));
    const changes = world.checkpoints.changes.bind(world.checkpoints);
    world.checkpoints.changes = () => {
      world.checkpoints.changes = changes;
      return Promise.reject(new Error('begun anew'));
    };
    await world.review().refresh();
    assert.deepEqual([world.pending(), world.review().turns[0]?.incomplete], [['a'], 'failed']);
    world.write('c', 'new');
    await world.end();
    assert.deepEqual(world.pending(), ['a', 'c']);
    assert.match(world.warnings.splice(0).join(), /begun anew/);
    await world.review().undo({ type: 'all' });
    assert.deepEqual([world.text('a'), fs.existsSync(world.at('c'))], [ten, false]);
  });

  it('a checkpoint that the next one makes up for isn’t missing', async () => {
    world.write('a', ten);
    await world.session.begin('Do it');
    world.write('a', with_({ 2: 'two' }));
    world.checkpoints.no = 'failed';
    await world.review().refresh();
    world.checkpoints.no = undefined;
    await world.end();
    assert.deepEqual([world.pending(), world.review().turns[0]?.incomplete], [['a'], undefined]);
    assert.equal((await world.reopened()).turns[0]?.incomplete, undefined);
  });

  it('what was reported is recorded when the last checkpoint of a turn can’t be taken', async () => {
    world.write('a', ten);
    await world.session.begin('Do it');
    world.write('a', with_({ 2: 'two' }));
    world.session.completed(world.call('edit', { diffs: [world.diff('a', '2\n', 'two\n')] }));
    world.checkpoints.no = 'tooManyBytes';
    await world.end();
    assert.deepEqual(
      [world.pending(), world.review().turns[0]?.incomplete],
      [['a'], 'tooManyBytes'],
    );
  });
});
