import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { RecordedReview } from '../../../../../../src/features/review/model/recordedReview';
import type { StoredReviews } from '../../../../../../src/features/review/model/storedReviews';
import type { TurnRecorder } from '../../../../../../src/model/changes/turnRecorder';
import { getMark } from '../../../../../../src/model/files/processMark';
import { until } from '../../../../../support/until';
import { RecorderWorld, ten, with_ } from './recorderWorld';

describe('Recording sessions that are at work in one folder at the same time', () => {
  let world: RecorderWorld;
  let claude: TurnRecorder;

  beforeEach(() => {
    world = new RecorderWorld();
    claude = world.session;
  });

  afterEach(() => world.dispose());

  const uncertain = (review: RecordedReview): readonly (readonly string[])[] =>
    review.uncertain.map(({ file, kind, beside }) => [
      ...[path.relative(world.folder, file), kind],
      ...beside.map(({ sessionId }) => sessionId),
    ]);

  /** A session of this window, or of another one. */
  interface Other {
    readonly where: string;
    readonly open: (folder?: string) => {
      readonly turn: TurnRecorder;
      review(): RecordedReview;
      end(): Promise<void>;
    };
  }

  function other(where: 'in the same window' | 'in another window'): Other {
    return {
      where,
      open(folder = world.folder) {
        const window =
          where === 'in another window'
            ? world.anotherWindow()
            : { reviews: world.reviews, recorder: world.recorder };
        const turn = window.recorder.of({ agentId: 'codex', sessionId: 't', folders: [folder] });
        const review = (): RecordedReview => reviewIn(window.reviews);
        return {
          turn,
          review,
          async end() {
            turn.end();
            await until(() => review().running === undefined);
            if (window.reviews !== world.reviews) {
              window.recorder.dispose();
              window.reviews.dispose();
            }
          },
        };
      },
    };
  }

  const reviewIn = (reviews: StoredReviews): RecordedReview =>
    reviews.of('codex', 't') as RecordedReview;
  const files = (review: RecordedReview): readonly string[] =>
    review.pending.map(({ file }) => path.relative(world.folder, file));

  for (const { where, open } of [other('in the same window'), other('in another window')]) {
    describe(where, () => {
      it('SEC-80: what nobody names is uncertain in both, and in nothing that is decided about all', async () => {
        world.write('a', ten);
        const codex = open();
        await codex.turn.begin('Run it');
        await claude.begin('Do it');
        await claude.write(world.at('a'), world.writing('a', with_({ 2: 'two' })));
        world.write('made', 'by a command');
        await world.end();
        assert.deepEqual(world.pending(), ['a']);
        assert.deepEqual(uncertain(world.review()), [['made', 'added', 't']]);
        assert.deepEqual(
          world.review().uncertainTurns.map(({ turn, files: count }) => [turn, count]),
          [[1, 1]],
        );
        assert.deepEqual(
          world.review().turns.map((turn) => turn.files),
          [[world.at('a')]],
        );
        await world.review().undo({ type: 'all' });
        await world.review().undo({ type: 'turn', turn: 1 });
        await world.review().restore(await world.review().planRestore(1));
        assert.deepEqual([world.text('a'), world.text('made')], [ten, 'by a command']);
        await codex.end();
        assert.deepEqual(uncertain(codex.review()), [['made', 'added', 's']]);
        assert.deepEqual(files(codex.review()), []);
      });

      it('what a command of one of them names is that one’s', async () => {
        const codex = open();
        await codex.turn.begin('Run it');
        await claude.begin('Do it');
        world.write('made', 'by a command');
        codex.turn.acted(world.call('execute', { status: 'in_progress' }));
        const rawInput = { command: ['bash', '-lc', `echo hi > made`], cwd: world.folder };
        codex.turn.acted(world.call('execute', { rawInput }));
        await world.end();
        assert.deepEqual([world.pending(), uncertain(world.review())], [[], []]);
        await codex.end();
        assert.deepEqual([files(codex.review()), uncertain(codex.review())], [['made'], []]);
      });

      it('what the other one names only after this one’s turn isn’t uncertain any more', async () => {
        const codex = open();
        await codex.turn.begin('Run it');
        await claude.begin('Do it');
        codex.turn.acted(world.call('execute', { status: 'in_progress' }));
        world.write('made', 'by a command');
        await world.end();
        assert.deepEqual(uncertain(world.review()), [['made', 'added', 't']]);
        codex.turn.acted(world.call('execute', { rawInput: { command: 'touch made' } }));
        await until(() => world.review().uncertain.length === 0);
        assert.deepEqual(world.pending(), []);
        await codex.end();
        assert.deepEqual(files(codex.review()), ['made']);
      });

      it('what has changed before the other one began is this one’s, and so is what it does afterwards', async () => {
        await claude.begin('Do it');
        world.write('before', 'x');
        await world.review().refresh();
        const codex = open();
        await codex.turn.begin('Run it');
        world.write('during', 'x');
        await codex.end();
        await world.review().refresh();
        world.write('after', 'x');
        await world.end();
        assert.deepEqual(world.pending(), ['after', 'before']);
        assert.deepEqual(uncertain(world.review()), [['during', 'added', 't']]);
      });

      it('in a subfolder', async () => {
        fs.mkdirSync(world.at('sub'));
        const codex = open(world.at('sub'));
        await codex.turn.begin('Run it');
        await claude.begin('Do it');
        world.write('sub/made', 'x');
        world.write('made', 'x');
        await world.end();
        assert.deepEqual(uncertain(world.review()), [
          ['made', 'added', 't'],
          ['sub/made', 'added', 't'],
        ]);
        await codex.end();
      });

      it('in a work tree of its own below the folder', async () => {
        fs.mkdirSync(world.at('tree'));
        world.write('tree/.git', 'gitdir: elsewhere');
        const codex = open(world.at('tree'));
        await codex.turn.begin('Run it');
        await claude.begin('Do it');
        world.write('tree/made', 'x');
        world.write('made', 'x');
        await world.end();
        assert.deepEqual(world.pending(), ['made']);
        assert.deepEqual(uncertain(world.review()), [['tree/made', 'added', 't']]);
        await codex.end();
      });

      it('in the same folder under the name of a link, with which it names files, too', async () => {
        const link = `${world.folder}-link`;
        fs.symlinkSync(world.folder, link);
        const codex = open(link);
        await codex.turn.begin('Run it');
        await claude.begin('Do it');
        world.write('made', 'x');
        world.write('named', 'x');
        codex.turn.acted(world.call('edit', { places: [path.join(link, 'named')] }));
        await world.end();
        assert.deepEqual(world.pending(), []);
        assert.deepEqual(uncertain(world.review()), [['made', 'added', 't']]);
        await codex.end();
        assert.deepEqual(files(codex.review()), ['named']);
        fs.unlinkSync(link);
      });
    });
  }

  it('a session beside a folder, not in it, makes nothing uncertain', async () => {
    fs.mkdirSync(world.at('one'));
    fs.mkdirSync(world.at('two'));
    const [one, two] = ['one', 'two'].map((name) =>
      world.recorder.of({ agentId: 'a', sessionId: name, folders: [world.at(name)] }),
    );
    await one!.begin('Do it');
    await two!.begin('Do it, too');
    world.write('one/made', 'x');
    await world.end(one, 'one');
    await world.end(two, 'two');
    assert.deepEqual(world.pending('one'), ['one/made']);
  });

  it('both have changed it: it is uncertain in both', async () => {
    world.write('a', ten);
    const codex = world.sessionOf('t');
    await claude.begin('Do it');
    await codex.begin('Run it');
    world.write('a', with_({ 2: 'two', 9: 'nine' }));
    claude.acted(world.call('edit', { places: [world.at('a')] }));
    codex.acted(world.call('edit', { places: [world.at('a')] }));
    await world.end();
    await world.end(codex, 't');
    assert.deepEqual([world.pending('s'), world.pending('t')], [[], []]);
    assert.deepEqual(uncertain(world.review('s')), [['a', 'modified', 't']]);
  });

  it('what this one names only afterwards becomes its own', async () => {
    world.write('a', ten);
    world.write('b', ten);
    await claude.begin('First');
    await claude.write(world.at('b'), world.writing('b', with_({ 2: 'two' })));
    await world.end();
    const codex = world.sessionOf('t');
    await codex.begin('Run it');
    await claude.begin('Do it');
    claude.acted(world.call('edit', { status: 'in_progress' }));
    world.write('a', with_({ 2: 'two' }));
    world.write('b', with_({ 2: 'two', 9: 'nine' }));
    await world.review().refresh();
    assert.equal(world.review().uncertain.length, 2);
    claude.acted(world.call('edit', { places: [world.at('a'), world.at('b')] }));
    await world.end();
    assert.deepEqual(world.review().uncertain, []);
    assert.deepEqual(
      world.review().pending.map(({ turns, added }) => [turns, added]),
      [
        [[2], 1],
        [[1, 2], 2],
      ],
    );
    await world.review().undo({ type: 'turn', turn: 2 });
    assert.deepEqual([world.text('a'), world.text('b')], [ten, with_({ 2: 'two' })]);
    await world.end(codex, 't');
  });

  it('what the other one changes between two writes of this one stays', async () => {
    world.write('a', ten);
    const codex = world.sessionOf('t');
    await claude.begin('Do it');
    await codex.begin('Run it');
    await claude.write(world.at('a'), world.writing('a', with_({ 2: 'two' })));
    world.write('a', with_({ 2: 'two', 9: 'nine' }));
    await claude.write(
      world.at('a'),
      world.writing('a', with_({ 2: 'two', 5: 'five', 9: 'nine' })),
    );
    await world.end();
    assert.deepEqual(uncertain(world.review()), [['a', 'modified', 't']]);
    await world.review().undo({ type: 'all' });
    assert.equal(world.text('a'), with_({ 9: 'nine' }));
    await world.end(codex, 't');
  });

  it('what the other one has changed before this one writes stays', async () => {
    world.write('a', ten);
    const codex = world.sessionOf('t');
    await claude.begin('Do it');
    await codex.begin('Run it');
    world.write('a', with_({ 9: 'nine' }));
    await claude.write(world.at('a'), world.writing('a', with_({ 2: 'two', 9: 'nine' })));
    await world.end();
    await world.review().undo({ type: 'all' });
    assert.equal(world.text('a'), with_({ 9: 'nine' }));
    await world.end(codex, 't');
  });

  it('the command of a terminal through us names its files', async () => {
    const codex = world.sessionOf('t');
    await claude.begin('Do it');
    await codex.begin('Run it');
    fs.mkdirSync(world.at('sub'));
    world.write('sub/made', 'x');
    claude.runs('cd sub && touch made', world.folder, Promise.resolve());
    await world.end();
    assert.deepEqual(world.pending(), ['sub/made']);
    await world.end(codex, 't');
    assert.deepEqual(uncertain(world.review('t')), []);
  });

  describe('what is uncertain', () => {
    async function made(): Promise<RecordedReview> {
      world.write('a', ten);
      world.write('gone', 'x');
      const codex = world.sessionOf('t');
      await claude.begin('Do it');
      await codex.begin('Run it');
      world.write('a', with_({ 9: 'nine' }));
      world.write('made', 'x');
      fs.rmSync(world.at('gone'));
      await world.end();
      await world.end(codex, 't');
      return world.review();
    }

    it('is undone if it is chosen, and comes back', async () => {
      const review = await made();
      world.write('a', with_({ 2: 'mine', 9: 'nine' }));
      const all = review.uncertain.map(({ file }) => file);
      assert.equal(await review.certainText(world.at('a')), with_({ 2: 'mine' }));
      const { decided, leftAlone } = await review.undo({ type: 'uncertain', files: all });
      assert.deepEqual([decided, leftAlone], [all, []]);
      assert.deepEqual(
        [world.text('a'), world.text('gone'), fs.existsSync(world.at('made'))],
        [with_({ 2: 'mine' }), 'x', false],
      );
      assert.deepEqual(review.uncertain, []);
      await review.takeBack();
      assert.deepEqual(
        [world.text('a'), world.text('made')],
        [with_({ 2: 'mine', 9: 'nine' }), 'x'],
      );
    });

    it('is left alone if its lines have changed since', async () => {
      const review = await made();
      world.write('a', with_({ 9: 'mine' }));
      world.write('made', 'more');
      const chosen = [world.at('a'), world.at('made')];
      const { leftAlone } = await review.undo({ type: 'uncertain', files: chosen });
      assert.deepEqual(
        leftAlone,
        chosen.map((file) => ({ file, reason: 'changedSince' })),
      );
      assert.deepEqual([world.text('a'), world.text('made')], [with_({ 9: 'mine' }), 'more']);
      assert.equal(review.uncertain.length, 3);
    });

    it('is no more after it was kept, also in the next window', async () => {
      const review = await made();
      await review.keep({ type: 'uncertain', files: [world.at('made')] });
      assert.deepEqual(
        uncertain(await world.reopened()).map(([file]) => file),
        ['a', 'gone'],
      );
    });

    it('is only what nobody has taken back', async () => {
      const codex = world.sessionOf('t');
      await claude.begin('Do it');
      await codex.begin('Run it');
      world.write('temporary', 'x');
      await world.review().refresh();
      assert.equal(world.review().uncertain.length, 1);
      fs.rmSync(world.at('temporary'));
      await world.end();
      assert.deepEqual(world.review().uncertain, []);
      await world.end(codex, 't');
    });
  });

  describe('what other windows have left', () => {
    const folder = (): string => world.at('.store/at-work');
    const leave = (name: string, text: string): void => {
      fs.mkdirSync(folder(), { recursive: true });
      fs.writeFileSync(path.join(folder(), name), text);
    };
    const id = '00000000-0000-0000-0000-000000000000';
    const begun = (): string =>
      `${JSON.stringify({
        ...{ type: 'work', version: 1, kind: 'turn', agentId: 'codex', sessionId: 't', began: 1 },
        ...{ folders: [world.folder], trees: [] },
      })}\n`;

    it('SEC-80: the work of a window that is gone has ended', async () => {
      const { pid } = spawnSync(process.execPath, ['--version']);
      leave(`${getMark('0').replace(/^\d+/, String(pid))}.${id}.ndjson`, begun());
      await claude.begin('First');
      await world.end();
      await claude.begin('Do it');
      world.write('made', 'x');
      await world.end();
      assert.deepEqual(world.pending(), ['made']);
    });

    it('the work of a window that lives goes on', async () => {
      leave(`${getMark('0')}.${id}.ndjson`, begun());
      await claude.begin('Do it');
      world.write('made', 'x');
      await world.end();
      assert.deepEqual(uncertain(world.review()), [['made', 'added', 't']]);
    });

    it('SEC-80: what is no work, or damaged, says nothing', async () => {
      leave(`${getMark('0')}.${id}.ndjson`, begun().replace('"folders":["', '"folders":["\\u0000'));
      leave(`${getMark('1')}.${id}.ndjson`, `{"type":"work"}\n[]\n\0${'{'.repeat(1000)}`);
      leave('other', begun());
      fs.mkdirSync(path.join(folder(), `${getMark('2')}.${id}.ndjson`));
      fs.symlinkSync('/dev/zero', path.join(folder(), `${getMark('3')}.${id}.ndjson`));
      await claude.begin('Do it');
      world.write('made', 'x');
      await world.end();
      assert.deepEqual(world.pending(), ['made']);
    });
  });
});
