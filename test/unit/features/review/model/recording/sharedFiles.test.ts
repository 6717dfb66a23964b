import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { TurnRecorder } from '../../../../../../src/model/changes/turnRecorder';
import type { Diff, ToolKind } from '../../../../../../src/shared/transcript/content';
import type { ToolCallEntry } from '../../../../../../src/shared/transcript/entries';
import { until } from '../../../../../support/until';
import { RecorderWorld, ten, with_ } from './recorderWorld';

describe('Recording a file that a session names, while another one may change it without a word', () => {
  let world: RecorderWorld;
  let claude: TurnRecorder;
  let codex: TurnRecorder;

  beforeEach(async () => {
    world = new RecorderWorld();
    claude = world.session;
    codex = world.sessionOf('t');
    world.write('a', ten);
    await codex.begin('Run it');
    await claude.begin('Do it');
  });

  afterEach(() => world.dispose());

  const ended = async (): Promise<void> => {
    await world.end();
    await world.end(codex, 't');
  };
  const uncertain = (sessionId = 's'): readonly string[] =>
    world.review(sessionId).uncertain.map(({ file }) => path.relative(world.folder, file));

  /** A call of Claude's, from its beginning to its end, within which files are changed. */
  const called = (
    kind: ToolKind,
    change: () => void,
    facts: Partial<ToolCallEntry> & { diffs?: readonly Diff[]; places?: readonly string[] },
  ): void => {
    const toolCallId = `${kind} ${JSON.stringify(facts)}`;
    claude.acted(world.call(kind, { toolCallId, status: 'in_progress' }));
    change();
    claude.completed(world.call(kind, { toolCallId, ...facts }));
  };

  describe('it isn’t this one’s', () => {
    const both = (): void => world.write('a', with_({ 9: 'nine' }));

    it('if the edit that names it has failed', async () => {
      const places = [world.at('a')];
      const diffs = [world.diff('a', '2\n', 'two\n')];
      called('edit', both, { diffs, places, status: 'failed' });
      await ended();
      assert.deepEqual([world.pending(), uncertain(), uncertain('t')], [[], ['a'], ['a']]);
    });

    for (const command of ['./check made', 'phpunit made', 'node made', 'git checkout made']) {
      it(`if it is only a word of a command: ${command}`, async () => {
        const make = (): void => world.write('made', 'x');
        called('execute', make, { rawInput: { command } });
        await ended();
        assert.deepEqual([world.pending(), uncertain(), uncertain('t')], [[], ['made'], ['made']]);
      });
    }

    for (const command of ['echo x >> a', 'sed -i s/x/y/ a', 'tee a']) {
      it(`if a command that names it may have changed other lines: ${command}`, async () => {
        called('execute', both, { rawInput: { command } });
        await ended();
        assert.deepEqual([world.pending(), uncertain(), uncertain('t')], [[], ['a'], ['a']]);
      });
    }

    it('if one of this name was only removed or copied from', async () => {
      called('execute', () => world.write('made', 'x'), { rawInput: { command: 'cp made b' } });
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [[], ['made']]);
    });

    for (const kind of ['read', 'search', 'fetch', 'think', 'switch_mode'] as const) {
      it(`if a call of this kind is about it: ${kind}`, async () => {
        called(kind, both, { places: [world.at('a')], rawInput: { path: 'a' } });
        await ended();
        assert.deepEqual([world.pending(), uncertain()], [[], ['a']]);
      });
    }
  });

  it('a file that its command makes or removes is this one’s', async () => {
    const change = (): void => {
      world.write('made', 'x');
      fs.rmSync(world.at('a'));
    };
    called('execute', change, { rawInput: { command: 'echo x > made; rm a' } });
    await ended();
    assert.deepEqual([world.pending(), uncertain()], [['a', 'made'], []]);
  });

  it('a file that its command makes is all this one’s, if it edits lines of it afterwards', async () => {
    called('execute', () => world.write('made', ten), { rawInput: { command: 'seq 10 > made' } });
    const diffs = [world.diff('made', '2\n', 'two\n')];
    called('edit', () => world.write('made', with_({ 2: 'two' })), { diffs });
    await ended();
    assert.deepEqual([world.pending(), uncertain()], [['made'], []]);
  });

  describe('a file like one that is gone', () => {
    beforeEach(() => {
      const { checkpoints } = world;
      const changes = checkpoints.changes.bind(checkpoints);
      checkpoints.changes = async (...args) => {
        const [gone, made, ...more] = await changes(...args);
        return gone?.after.kind === 'absent' && made !== undefined && more.length === 0
          ? [{ ...made, before: gone.before, movedFrom: gone.file }]
          : [gone, made, ...more].filter((change) => change !== undefined);
      };
    });
    const move = (): void => fs.renameSync(world.at('a'), world.at('b'));

    it('was moved by the command that says so', async () => {
      called('execute', move, { rawInput: { command: 'mv a b' } });
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [['b'], []]);
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), ten);
    });

    it('was moved by that command also if lines of it were edited afterwards', async () => {
      called('execute', move, { rawInput: { command: 'mv a b' } });
      const diffs = [world.diff('b', '2\n', 'two\n')];
      called('edit', () => world.write('b', with_({ 2: 'two' })), { diffs });
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [['b'], []]);
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), ten);
    });

    it('is this one’s, and not that the other is gone, if it has only made it', async () => {
      called('edit', move, { places: [world.at('b')] });
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [['b'], ['a']]);
      await world.review().undo({ type: 'all' });
      assert.deepEqual(
        ['a', 'b'].filter((name) => fs.existsSync(world.at(name))),
        [],
      );
    });
  });

  describe('of a file with reported diffs, only what they explain is this one’s:', () => {
    const own = with_({ 2: 'two' });
    const mixed = with_({ 2: 'two', 9: 'nine' });
    const edit = (text = mixed, ...diffs: readonly Diff[]): void =>
      called('edit', () => world.write('a', text), { diffs, places: [world.at('a')] });
    const fragment = (): Diff => world.diff('a', '1\n2\n3\n', '1\ntwo\n3\n');

    const isSplit = async (left = with_({ 9: 'nine' })): Promise<void> => {
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [['a'], ['a']]);
      const [{ added, removed } = { added: 0, removed: 0 }] = world.review().pending;
      assert.deepEqual([added, removed], [1, 1]);
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), left);
    };

    it('a fragment', async () => {
      edit(mixed, fragment());
      await isSplit();
    });

    it('whatever is looked at again', async () => {
      edit(mixed, fragment());
      await world.review().refresh();
      await world.review().refresh();
      const rest = world.review().uncertain.map(({ added, removed }) => [added, removed]);
      assert.deepEqual(rest, [[1, 1]]);
      assert.equal(await world.review().certainText(world.at('a')), own);
      await isSplit();
    });

    for (const command of ['cat a >> a', 'rm a']) {
      it(`SEC-80: a fragment, whatever a command says of the whole file: ${command}`, async () => {
        called('execute', () => undefined, { rawInput: { command } });
        edit(mixed, fragment());
        await isSplit();
      });
    }

    it('several fragments', async () => {
      const more = { 2: 'two', 4: 'four', 9: 'nine' };
      edit(with_(more), fragment(), world.diff('a', '4\n', 'four\n'));
      await ended();
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), with_({ 9: 'nine' }));
    });

    it('the whole text, before the other one’s', async () => {
      edit(mixed, world.diff('a', ten, own));
      await isSplit();
    });

    it('the whole text, after the other one’s', async () => {
      edit(mixed, world.diff('a', with_({ 9: 'nine' }), mixed));
      await isSplit();
    });

    it('told only after the change was recorded', async () => {
      claude.acted(world.call('edit', { toolCallId: 'e', status: 'in_progress' }));
      world.write('a', mixed);
      await world.review().refresh();
      assert.deepEqual([world.pending(), uncertain()], [[], ['a']]);
      claude.completed(world.call('edit', { toolCallId: 'e', diffs: [fragment()] }));
      await isSplit();
    });

    it('in a file that the session had changed before', async () => {
      await claude.write(world.at('a'), world.writing('a', with_({ 6: 'six' })));
      await world.review().refresh();
      edit(with_({ 2: 'two', 6: 'six', 9: 'nine' }), fragment());
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [['a'], ['a']]);
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), with_({ 9: 'nine' }));
    });

    it('not an edit that the file had before', async () => {
      edit(own, fragment());
      await world.review().refresh();
      world.write('a', mixed);
      await isSplit();
    });

    it('nothing of a text that isn’t there', async () => {
      edit(with_({ 9: 'nine' }), world.diff('a', 'somewhere\n', 'else\n'));
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [[], ['a']]);
    });

    it('all of it, if they explain all', async () => {
      edit(own, fragment());
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [['a'], []]);
    });

    it('all of it, if every place was replaced', async () => {
      const all = '1\nx\n3\nx\n';
      world.write('b', '1\ny\n3\ny\n');
      await world.review().refresh();
      const places = [world.at('b')];
      called('edit', () => world.write('b', all), { diffs: [world.diff('b', 'y', 'x')], places });
      await ended();
      assert.deepEqual(world.pending(), ['b']);
    });

    it('a file that it has made, and not what was added to it', async () => {
      const diffs = [world.diff('made', null, 'one\n')];
      called('edit', () => world.write('made', 'one\nmore\n'), {
        diffs,
        places: [world.at('made')],
      });
      await ended();
      assert.deepEqual([world.pending(), uncertain()], [['made'], ['made']]);
      await world.review().undo({ type: 'all' });
      assert.ok(world.text('made').includes('more'));
    });

    /** Ends the turns in which each agent has told its own edit of the file. */
    const bothTold = async (): Promise<void> => {
      codex.acted(world.call('edit', { toolCallId: 'c', status: 'in_progress' }));
      edit(mixed, fragment());
      codex.completed(
        world.call('edit', { toolCallId: 'c', diffs: [world.diff('a', '9\n', 'nine\n')] }),
      );
      await ended();
    };

    it('each one’s own, if both have told theirs', async () => {
      await bothTold();
      assert.deepEqual([world.pending(), world.pending('t')], [['a'], ['a']]);
      await world.review().undo({ type: 'all' });
      assert.equal(world.text('a'), with_({ 9: 'nine' }));
      await world.review('t').undo({ type: 'all' });
      assert.equal(world.text('a'), ten);
    });

    it('and what the other one’s Undo has taken back isn’t uncertain any more', async () => {
      await bothTold();
      assert.deepEqual([uncertain(), uncertain('t')], [['a'], ['a']]);
      await world.review('t').undo({ type: 'all' });
      await until(() => uncertain().length === 0);
      assert.deepEqual([world.pending(), uncertain('t')], [['a'], ['a']]);
    });

    it('nor what the user has taken back, once it is looked at', async () => {
      edit(mixed, fragment());
      await ended();
      world.write('a', own);
      await world.review().settleUndone();
      assert.deepEqual([world.pending(), uncertain()], [['a'], []]);
    });

    it('but a part of it that is still there is', async () => {
      edit(with_({ 2: 'two', 7: 'seven', 9: 'nine' }), fragment());
      await ended();
      world.write('a', with_({ 2: 'two', 7: 'seven' }));
      await world.review().settleUndone();
      assert.deepEqual([world.pending(), uncertain()], [['a'], ['a']]);
    });
  });
});
