import assert from 'node:assert/strict';
import type { TurnRecorder } from '../../../../src/model/changes/turnRecorder';
import { KeptWork } from '../../../../src/model/kept/keptWork';
import { toSavedTranscript } from '../../../../src/model/kept/savedTranscript';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { idle, silentLog } from '../fakes';
import { FakeTexts } from '../session/fakeTexts';
import { draft, prompted, sessionBench } from '../sessionBench';
import { agent, call } from '../updates';

describe('Recording a session’s turns', () => {
  /** What a recorder was told, in order. */
  function recording(gate: Promise<undefined> = Promise.resolve(undefined)): {
    told: string[];
    /** What had been told before each sign that the agent is at work. */
    acted: string[];
    recorder: TurnRecorder;
  } {
    const told: string[] = [];
    const acted: string[] = [];
    const recorder: TurnRecorder = {
      prepare: () => {
        told.push('prepare');
        return Promise.resolve();
      },
      acted: () => void acted.push(told.at(-1) ?? ''),
      begin: (prompt) => {
        told.push(`begin ${prompt}`);
        return gate;
      },
      beginUnprompted: (after) => void told.push(`begin after ${after}`),
      end: () => void told.push('end'),
      runs: (command, folder) => void told.push(`runs ${command} in ${folder}`),
      write: async (file, write) => {
        told.push(`before ${file}`);
        await write();
        told.push('after');
      },
      completed: ({ toolCallId }) => void told.push(`completed ${toolCallId}`),
    };
    return { told, acted, recorder };
  }

  it('a prompt is sent once its recorder lets it go', async () => {
    const gate = deferred<undefined>();
    const { told, acted, recorder } = recording(gate.promise);
    const made = sessionBench(undefined, {}, recorder);
    await made.session.load();
    made.session.turns.submit(draft('go'));
    await until(() => told.length === 1);
    await idle();
    assert.deepEqual(made.connections[0]!.prompts.length, 0);
    gate.resolve(undefined);
    await until(() => made.connections[0]!.prompts.length === 1);
    made.connections[0]!.send('s0', call('c', { status: 'pending' }));
    assert.deepEqual(acted, []);
    made.connections[0]!.send('s0', call('c', { status: 'completed' }));
    made.connections[0]!.prompts[0]!.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(told, ['begin go', 'completed c', 'end']);
    assert.deepEqual(acted, ['begin go'], 'not of a call that waits');
  });

  it('a prompt that is taken back meanwhile isn’t sent', async () => {
    const gate = deferred<undefined>();
    const { told, recorder } = recording(gate.promise);
    const made = sessionBench(undefined, {}, recorder);
    await made.session.load();
    made.session.turns.submit(draft('go'));
    await until(() => told.length === 1);
    made.session.turns.removeQueued(made.session.turns.queue[0]!.id);
    gate.resolve(undefined);
    await idle();
    assert.equal(made.connections[0]!.prompts.length, 0);
    assert.deepEqual(told, ['begin go', 'end']);
  });

  it('a write goes through it', async () => {
    const { told, recorder } = recording();
    const made = sessionBench(undefined, {}, recorder);
    await prompted(made);
    made.decide = () => 'allow';
    made.realPaths.get = (path) => path;
    const file = `${made.session.info.cwd}/f`;
    const request = { sessionId: 's0', path: file, content: 'x' };
    await made.session.acts.write(request, new AbortController().signal);
    assert.deepEqual(told, ['begin go', `before ${file}`, 'after']);
  });

  it('a command through us is told to it, with its folder', async () => {
    const { told, recorder } = recording();
    const made = sessionBench(undefined, {}, recorder);
    await prompted(made);
    made.decide = () => 'allow';
    made.realPaths.get = (path) => path;
    const { cwd } = made.session.info;
    const request = { sessionId: 's0', command: 'touch', args: ['made'], env: {}, cwd };
    await made.session.acts.createTerminal(request, new AbortController().signal);
    assert.deepEqual(told, ['begin go', `runs touch made in ${cwd}`]);
  });

  it('it prepares itself when a session is created, not when one is only looked at', async () => {
    const { told, recorder } = recording();
    const made = sessionBench(undefined, {}, recorder);
    await made.session.load();
    assert.deepEqual(told, []);
    await made.sessions.create(made.agent, { name: 'x', path: '/w' });
    assert.deepEqual(told, ['prepare']);
  });

  it('it prepares itself when the user begins to write', async () => {
    const { told, recorder } = recording();
    const { session, sessions } = sessionBench(undefined, {}, recorder);
    const work = new KeptWork({ texts: new FakeTexts(), sessions, log: silentLog });
    await work.read();
    work.setDraft(toSavedTranscript(session), draft(''));
    assert.deepEqual(told, []);
    work.setDraft(toSavedTranscript(session), draft('D'));
    assert.deepEqual(told, ['prepare']);
    await work.end();
    work.dispose();
  });

  describe('that the agent begins by itself', () => {
    async function rested(own: { tailMs?: number } = {}) {
      const { told, acted, recorder } = recording();
      const made = sessionBench(undefined, { tailMs: -1, ...own }, recorder);
      const { connection, prompt } = await prompted(made);
      prompt.resolve('end_turn');
      await until(() => made.session.turns.current.kind === 'idle');
      told.length = 0;
      return { made, connection, told, acted };
    }

    it('T-40: begins with the first sign of it, and ends with it', async () => {
      const { made, connection, told, acted } = await rested();
      connection.send('s0', call('c', { status: 'pending' }));
      assert.deepEqual([told, acted], [['begin after go'], []]);
      connection.send('s0', call('d', { status: 'completed' }));
      assert.deepEqual(told, ['begin after go', 'completed d']);
      assert.deepEqual(acted, ['begin after go']);
      made.session.turns.cancel();
      assert.deepEqual(told, ['begin after go', 'completed d', 'end']);
    });

    it('T-40: may have begun before, if the agent has gone on after its turn', async () => {
      const { connection, told, acted } = await rested({ tailMs: 3_600_000 });
      // The agent says more in the same turn, which is over, so it was at work all the time.
      await until(() => {
        connection.send('s0', agent('late'));
        connection.send('s0', { sessionUpdate: 'session_info_update', isWorking: true });
        connection.send('s0', { sessionUpdate: 'session_info_update', isWorking: false });
        return acted.length > 0;
      });
      assert.equal(told[0], 'begin after go');
    });

    it('T-39, T-40: has the prompt that was sent into the turn before it, if that began it', async () => {
      const { told, recorder } = recording();
      const made = sessionBench(undefined, {}, recorder);
      const { connection, prompt } = await prompted(made);
      const sent = made.session.turns.sendNow(made.session.turns.submit(draft('instead')).id);
      await until(() => connection.steerings.length === 1);
      connection.steerings[0]!.resolve('startedNewTurn');
      await sent;
      prompt.resolve('end_turn');
      await until(() => made.session.turns.current.kind === 'background');
      made.session.turns.cancel();
      assert.deepEqual(told, ['begin go', 'end', 'begin instead', 'end']);
    });

    it('T-40: ends when a prompt takes over, with the session, and with its agent', async () => {
      const first = await rested();
      first.connection.send('s0', agent('by myself'));
      first.made.session.turns.submit(draft('and now'));
      await until(() => first.connection.prompts.length === 2);
      assert.deepEqual(first.told, ['begin after go', 'end', 'begin and now']);

      const second = await rested();
      second.connection.send('s0', agent('by myself'));
      await second.made.session.close();
      assert.deepEqual([...new Set(second.told)], ['begin after go', 'end']);

      const third = await rested();
      third.connection.send('s0', call('c', { status: 'in_progress' }));
      third.connection.die();
      await until(() => third.told.includes('end'));
      assert.equal(third.made.session.turns.current.kind, 'idle');
    });
  });

  it('a replay isn’t recorded', async () => {
    const { told, recorder } = recording();
    const made = sessionBench(
      (connection) => {
        connection.replay = () => connection.send('s0', call('c', { status: 'completed' }));
      },
      {},
      recorder,
    );
    await made.session.load();
    assert.equal(made.session.transcript.entries.length, 1);
    assert.deepEqual(told, []);
  });
});
