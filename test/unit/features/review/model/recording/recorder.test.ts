import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Diff } from '../../../../../../src/shared/transcript/content';
import { deferred } from '../../../../../../src/util/async';
import { until } from '../../../../../support/until';
import { RecorderWorld, ten, with_ } from './recorderWorld';

describe('Recording turns', () => {
  let world: RecorderWorld;

  beforeEach(() => {
    world = new RecorderWorld();
  });

  afterEach(() => world.dispose());

  it('what a command changes, adds and deletes, and reports nothing of', async () => {
    world.write('a', ten);
    world.write('gone', 'x');
    await world.session.begin('Do it');
    world.write('a', with_({ 2: 'two' }));
    world.write('new', 'n');
    fs.rmSync(world.at('gone'));
    await world.end();
    assert.deepEqual(
      world.review().pending.map(({ kind, file }) => [kind, path.relative(world.folder, file)]),
      [
        ['modified', 'a'],
        ['deleted', 'gone'],
        ['added', 'new'],
      ],
    );
    assert.deepEqual(
      world
        .review()
        .turns.map(({ turn, prompt, state, isLate, incomplete }) => [
          ...[turn, prompt, state, isLate, incomplete],
        ]),
      [[1, 'Do it', 'pending', undefined, undefined]],
    );
    await world.review().undo({ type: 'all' });
    assert.deepEqual(
      [world.text('a'), world.text('gone'), fs.existsSync(world.at('new'))],
      [ten, 'x', false],
    );
  });

  it('a write through us is exact, and there at once', async () => {
    world.write('a', ten);
    await world.session.begin('Do it');
    await world.session.write(world.at('a'), () => {
      world.write('a', with_({ 2: 'two' }));
      // Documents that are saved for the agent are reported like those of the user.
      return world.recorder.saved({
        ...{
          file: world.at('a'),
          before: Buffer.from(ten),
          after: Buffer.from(with_({ 2: 'two' })),
        },
      });
    });
    assert.deepEqual(world.pending(), ['a']);
    assert.equal(world.review().pending[0]?.isMixed, false);
    await world.end();
    await world.review().undo({ type: 'all' });
    assert.equal(world.text('a'), ten);
  });

  it('a write through us of what was there already is no change', async () => {
    world.write('a', 'same');
    const turn = world.sessionOf('s');
    await turn.begin('Do it');
    await turn.write(world.at('a'), world.writing('a', 'same'));
    await world.end(turn);
    assert.deepEqual([world.pending(), world.review().turns], [[], []]);
  });

  it('a write that fails changes nothing, and its error arrives', async () => {
    await world.session.begin('Do it');
    const failing = world.session.write(world.at('a'), () =>
      Promise.reject(new Error('disk full')),
    );
    await assert.rejects(failing, /disk full/);
    await world.end();
    assert.deepEqual(world.pending(), []);
  });

  it('what the user saves in an editor during a turn isn’t the agent’s', async () => {
    world.write('a', ten);
    world.write('b', ten);
    await world.session.begin('Do it');
    await world.save('a', with_({ 2: 'mine' }));
    world.write('b', with_({ 2: 'two' }));
    await world.save('b', with_({ 2: 'two', 9: 'mine' }));
    await world.end();
    assert.deepEqual(world.pending(), ['b']);
    assert.equal(await world.review().baseline(world.at('b')), with_({ 9: 'mine' }));
    await world.review().undo({ type: 'all' });
    assert.deepEqual(
      [world.text('a'), world.text('b')],
      [with_({ 2: 'mine' }), with_({ 9: 'mine' })],
    );
  });

  it('the agent’s changes after and before a save of the user are told apart from it', async () => {
    world.write('a', ten);
    await world.session.begin('Do it');
    world.write('a', with_({ 2: 'two' }));
    await world.session.write(world.at('b'), world.writing('b', 'b'));
    await world.save('a', with_({ 2: 'two', 5: 'mine' }));
    await world.review().refresh();
    world.write('a', with_({ 2: 'two', 5: 'mine', 9: 'nine' }));
    await world.end();
    await world.review().undo({ type: 'all' });
    assert.equal(world.text('a'), with_({ 5: 'mine' }));
  });

  it('what changes between turns is the user’s', async () => {
    world.write('a', ten);
    await world.session.begin('First');
    world.write('a', with_({ 2: 'two' }));
    await world.end();
    world.write('a', with_({ 2: 'two', 5: 'mine' }));
    await world.session.begin('Second');
    world.write('a', with_({ 2: 'two', 5: 'mine', 9: 'nine' }));
    await world.end();
    assert.deepEqual(world.review().pending[0]?.turns, [1, 2]);
    await world.review().undo({ type: 'turn', turn: 2 });
    assert.equal(world.text('a'), with_({ 2: 'two', 5: 'mine' }));
    await world.save('a', with_({ 2: 'two', 5: 'mine', 7: 'more' }));
    await world.review().undo({ type: 'all' });
    assert.equal(world.text('a'), with_({ 5: 'mine', 7: 'more' }));
  });

  it('during a turn its changes appear after completed calls, and by a refresh', async () => {
    world.write('a', ten);
    await world.session.begin('Do it');
    world.write('a', with_({ 2: 'two' }));
    world.session.completed(world.call('execute'));
    await until(() => world.review().pending.length === 1);
    world.write('b', 'b');
    const { taken } = world.checkpoints;
    world.session.completed(world.call('read', { places: ['/x'] }));
    assert.equal(world.checkpoints.taken, taken);
    await world.review().refresh();
    assert.deepEqual(world.pending(), ['a', 'b']);
    await world.end();
  });

  describe('a slow checkpoint doesn’t hold the prompt', () => {
    async function turnWith(
      thinkingMs: number,
      act: () => void,
      afterwards: () => void = () => undefined,
    ): Promise<void> {
      world.recorder = world.recorderWith({ promptMs: 1, thinkingMs, betweenMs: 1 });
      world.session = world.sessionOf('s');
      const gate = deferred<undefined>();
      world.checkpoints.gate = gate.promise;
      await world.session.begin('Do it');
      act();
      gate.resolve(undefined);
      await until(() => world.reviews.all.length === 1);
      await until(() => world.review().record.state.lastTurn === 1);
      await world.review().refresh();
      afterwards();
      world.write('a', 'x');
      await world.end();
    }

    it('and the turn says so if the agent has begun before it was there', async () => {
      await turnWith(10_000, () => world.session.acted());
      assert.equal(world.review().turns[0]?.isLate, true);
    });

    it('or has had the time to', async () => {
      await turnWith(-1, () => undefined);
      assert.equal(world.review().turns[0]?.isLate, true);
    });

    it('and the turn is whole if the agent begins afterwards', async () => {
      await turnWith(10_000, () => undefined);
      world.session.acted();
      assert.equal(world.review().turns[0]?.isLate, undefined);
    });

    it('and the turn is whole, however long that took, if the agent’s first call only begins then', async () => {
      await turnWith(
        -1,
        () => undefined,
        () => world.session.acted(world.call('execute', { status: 'in_progress' })),
      );
      assert.equal(world.review().turns[0]?.isLate, undefined);
      assert.equal((await world.reopened()).turns[0]?.isLate, undefined);
    });

    it('and says so if its first sign is a call that is over', async () => {
      await turnWith(
        -1,
        () => undefined,
        () => world.session.acted(world.call('execute')),
      );
      assert.equal(world.review().turns[0]?.isLate, true);
    });

    it('and the turn is whole if the agent has only looked at something', async () => {
      await turnWith(10_000, () => world.session.acted(world.call('read')));
      assert.equal(world.review().turns[0]?.isLate, undefined);
    });

    it('and the turn is whole if nothing is other than in the checkpoint before it', async () => {
      world.recorder = world.recorderWith({ promptMs: 1, thinkingMs: -1, betweenMs: 1 });
      world.session = world.sessionOf('s');
      await world.session.prepare();
      world.session.beginUnprompted('');
      world.session.acted();
      await until(() => world.reviews.all.length === 1);
      await world.review().refresh();
      world.write('a', 'x');
      await world.end();
      assert.deepEqual([world.pending(), world.review().turns[0]?.isLate], [['a'], undefined]);
      world.session.beginUnprompted('');
      world.session.acted();
      world.write('b', 'y');
      await world.review().refresh();
      world.write('b', 'z');
      await world.end();
      assert.equal(world.review().turns[1]?.isLate, true, 'the second one has changed it before');
    });
  });

  it('a checkpoint is there before each prompt that was prepared, once and not while a turn runs', async () => {
    const taken = (): number => world.checkpoints.taken;
    await world.session.prepare();
    await world.session.prepare();
    assert.equal(taken(), 1);
    assert.deepEqual(world.reviews.all, []);
    await world.session.begin('Do it');
    await world.session.prepare();
    assert.equal(taken(), 2);
    await world.end();
    const before = taken();
    await world.session.prepare();
    await world.session.prepare();
    assert.equal(taken(), before + 1);
  });

  describe('of sessions at the same time', () => {
    it('what only one of them reported is that one’s, and the rest is in the changes of none', async () => {
      const other = world.sessionOf('t');
      await world.session.begin('One');
      await other.begin('Two');
      world.write('a', 'a');
      world.write('b', 'b');
      world.write('c', 'c');
      world.session.completed(world.call('edit', { places: [world.at('a')] }));
      other.completed(world.call('edit', { diffs: [world.diff('b', null, 'b')] }));
      await world.end();
      await world.end(other, 't');
      assert.deepEqual([world.pending('s'), world.pending('t')], [['a'], ['b']]);
    });

    it('what another one changes in a file of both isn’t undone with this one’s', async () => {
      world.write('a', ten);
      const other = world.sessionOf('t');
      await world.session.begin('One');
      await world.session.write(world.at('a'), world.writing('a', with_({ 2: 'two' })));
      await world.end();
      await other.begin('Two');
      await other.write(world.at('a'), world.writing('a', with_({ 2: 'two', 9: 'nine' })));
      await world.end(other, 't');
      await world.review('s').undo({ type: 'all' });
      assert.equal(world.text('a'), with_({ 9: 'nine' }));
      await world.review('t').undo({ type: 'all' });
      assert.equal(world.text('a'), ten);
    });
  });

  describe('without checkpoints', () => {
    beforeEach(() => {
      world.checkpoints.no = 'noGit';
    });

    it('diffs are found in the files, and the turn says that it is incomplete', async () => {
      world.write('a', ten);
      world.write('b', ten);
      await world.session.begin('Do it');
      world.write('a', with_({ 2: 'two' }));
      world.write('b', with_({ 2: 'two', 3: 'three' }));
      world.write('c', 'unreported');
      world.session.completed(
        world.call('edit', { diffs: [world.diff('a', ten, with_({ 2: 'two' }))] }),
      );
      world.session.completed(
        world.call('edit', {
          diffs: [world.diff('b', '2\n', 'two\n'), world.diff('b', '3\n4\n', 'three\n4\n')],
        }),
      );
      await world.end();
      assert.deepEqual(world.pending(), ['a', 'b']);
      assert.equal(world.review().turns[0]?.incomplete, 'noGit');
      await world.review().undo({ type: 'all' });
      assert.deepEqual([world.text('a'), world.text('b')], [ten, ten]);
    });

    it('a diff that fits in two places, or nowhere, is no change', async () => {
      world.write('a', 'x\nx\n');
      world.write('b', 'y\n');
      await world.session.begin('Do it');
      world.session.completed(world.call('edit', { diffs: [world.diff('a', 'z\n', 'x\n')] }));
      world.session.completed(
        world.call('edit', { diffs: [world.diff('b', 'q\n', 'r\n'), world.diff('b', 'q', 'r')] }),
      );
      await world.end();
      assert.deepEqual(world.pending(), []);
    });

    it('what was written through us isn’t counted again by its diff', async () => {
      world.write('a', ten);
      await world.session.begin('Do it');
      await world.session.write(world.at('a'), world.writing('a', with_({ 2: 'two' })));
      world.session.completed(world.call('edit', { diffs: [world.diff('a', '2\n', 'two\n')] }));
      await world.end();
      assert.deepEqual(
        world.review().turns.map(({ added, removed }) => [added, removed]),
        [[1, 1]],
      );
    });

    it('paths that lead to other machines or through folders aren’t looked at', async () => {
      const looked: string[] = [];
      const look = world.files.look.bind(world.files);
      world.files.look = (file) => {
        looked.push(file);
        return look(file);
      };
      await world.session.begin('Do it');
      const hostile = [
        '//host/share/f',
        '\\\\host\\share',
        'relative',
        `${world.folder}/../x`,
        '/a\0b',
      ];
      const diffs = hostile.map((it): Diff => ({ ...world.diff('a', null, 'x'), path: it }));
      world.session.completed(world.call('edit', { diffs, places: hostile }));
      const changes = hostile.map((it) => ({ ...world.change('delete', 'a'), path: it }));
      const moves = hostile.map((it) => ({ ...world.change('move', 'a', 'b'), oldPath: it }));
      world.session.completed(world.call('move', { diffs: [...changes, ...moves] }));
      await world.end();
      assert.deepEqual(new Set(looked), new Set([world.at('a')]));
    });
  });

  it('a diff outside of the folders is shown as outside', async () => {
    const outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-outside-')));
    const file = path.join(outside, 'f');
    fs.writeFileSync(file, 'two\n');
    await world.session.begin('Do it');
    world.session.completed(
      world.call('edit', { diffs: [{ ...world.diff('f', '2\n', 'two\n'), path: file }] }),
    );
    await world.end();
    assert.deepEqual(
      world.review().pending.map((it) => [it.file, it.isOutside]),
      [[file, true]],
    );
    await world.review().undo({ type: 'all' });
    assert.equal(fs.readFileSync(file, 'utf8'), 'two\n');
    fs.rmSync(outside, { recursive: true });
  });

  it('trouble with checkpoints and the record is never in the way of a turn', async () => {
    world.checkpoints.take = () => Promise.reject(new Error('broken'));
    await world.session.begin('Do it');
    await world.session.write(world.at('a'), world.writing('a', 'x'));
    assert.deepEqual([world.pending(), world.review().turns[0]?.incomplete], [['a'], 'failed']);
    world.files.look = () => Promise.reject(new Error('broken, too'));
    world.session.completed(world.call('edit', { diffs: [world.diff('a', null, 'x')] }));
    fs.rmSync(world.at('.store'), { recursive: true });
    fs.writeFileSync(world.at('.store'), 'in the way');
    await world.session.write(world.at('b'), world.writing('b', 'y'));
    await world.end();
    await world.session.begin('Go on');
    await world.end();
    assert.deepEqual([world.text('a'), world.text('b')], ['x', 'y']);
    assert.ok(world.warnings.splice(0).length > 0);
  });
});
