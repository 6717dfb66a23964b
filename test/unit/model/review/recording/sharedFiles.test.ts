import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { TurnRecorder } from '../../../../../src/model/review/recording/turnRecorder';
import type { Diff, ToolKind } from '../../../../../src/shared/transcript/content';
import type { ToolCallEntry } from '../../../../../src/shared/transcript/entries';
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
});
