import assert from 'node:assert/strict';
import type { TurnRecorder } from '../../../../src/model/review/turnRecorder';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { idle } from '../fakes';
import { draft, prompted, sessionBench } from '../sessionBench';
import { call } from '../updates';

describe('Recording a session’s turns', () => {
  /** What a recorder was told, in order. */
  function recording(gate: Promise<undefined> = Promise.resolve(undefined)): {
    told: string[];
    recorder: TurnRecorder;
  } {
    const told: string[] = [];
    const recorder: TurnRecorder = {
      begin: (prompt) => {
        told.push(`begin ${prompt}`);
        return gate;
      },
      end: () => void told.push('end'),
      write: async (file, write) => {
        told.push(`before ${file}`);
        await write();
        told.push('after');
      },
      completed: ({ toolCallId }) => void told.push(`completed ${toolCallId}`),
    };
    return { told, recorder };
  }

  it('a prompt is sent once its recorder lets it go', async () => {
    const gate = deferred<undefined>();
    const { told, recorder } = recording(gate.promise);
    const made = sessionBench(undefined, {}, recorder);
    await made.session.load();
    made.session.turns.submit(draft('go'));
    await until(() => told.length === 1);
    await idle();
    assert.deepEqual(made.connections[0]!.prompts.length, 0);
    gate.resolve(undefined);
    await until(() => made.connections[0]!.prompts.length === 1);
    made.connections[0]!.send('s0', call('c', { status: 'completed' }));
    made.connections[0]!.prompts[0]!.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(told, ['begin go', 'completed c', 'end']);
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
