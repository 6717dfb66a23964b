import assert from 'node:assert/strict';
import type { SessionDefaults } from '../../../../src/model/ports';
import type { SessionSetup } from '../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../src/protocol/errors';
import type { ConfigOption, SessionModes } from '../../../../src/shared/transcript/config';
import { config, folder, session as info } from '../fakes';
import { sessionsBench } from '../sessionBench';

const modes: SessionModes = {
  currentModeId: 'ask',
  modes: ['ask', 'plan'].map((id) => ({ id, name: id })),
};
const select = (
  id: string,
  category: string,
  value: string,
  ...values: string[]
): ConfigOption => ({
  ...{ id, category, name: id, type: 'select', value },
  groups: [{ choices: values.map((each) => ({ value: each, name: each })) }],
});
const model = select('llm', 'model', 'oak', 'oak', 'fern');
const thinking = select('thinking', 'thought_level', 'brief', 'brief', 'off');
const web: ConfigOption = { id: 'web', name: 'Web', type: 'boolean', value: false };

/** A new session of an agent with these defaults, and what was asked of the agent. */
async function created(defaults: SessionDefaults, setup: SessionSetup) {
  const made = sessionsBench(['demo'], (connection) => {
    connection.opening = () => ({ sessionId: 'n', ...setup });
    connection.configuring = (id, value) => {
      if (value === 'off') {
        throw new AcpError('invalidParams', 'no');
      }
      return (setup.configOptions ?? []).map(
        (option) =>
          (option.type !== 'unknown' && option.id === id
            ? { ...option, value }
            : option) as ConfigOption,
      );
    };
  });
  made.settings.set(config('demo', { title: 'Demo', defaults }));
  const session = await made.sessions.create(made.agents.get('demo')!, folder);
  const notices = session.takeNoticesBefore().map(({ title }) => title);
  const calls = made.connections[0]!.calls.filter((call) => /^(?:model?|config)/.test(call));
  return { ...made, session, notices, calls };
}

describe('Defaults of an agent', () => {
  it('MO-3, CF-8: are set in a new session before anything is sent to it, the model first', async () => {
    const { calls, notices, session } = await created(
      { web: true, model: 'fern', thinking: 'brief' },
      { configOptions: [thinking, model, web] },
    );
    // What is already so isn’t asked for.
    assert.deepEqual(calls, ['config n llm fern', 'config n web true']);
    assert.deepEqual(notices, []);
    assert.equal(session.turns.current.kind, 'idle');
    assert.deepEqual((await created({ mode: 'plan' }, { modes })).calls, ['mode n plan']);
    const option = select('m', 'mode', 'ask', 'ask', 'plan');
    const byOption = await created({ mode: 'plan' }, { configOptions: [option] });
    assert.deepEqual(byOption.calls, ['config n m plan']);
  });

  it('MO-6: a model is set with the models’ own method, and the one that it is in without asking', async () => {
    const models = {
      currentModelId: 'unlisted',
      models: ['oak', 'fern'].map((value) => ({ value, name: value })),
    };
    const set = await created({ model: 'fern', mode: 'plan' }, { modes, models });
    assert.deepEqual([set.calls, set.notices], [['model n fern', 'mode n plan'], []]);
    const kept = await created({ model: 'unlisted' }, { models });
    assert.deepEqual([kept.calls, kept.notices], [[], []]);
  });

  it('MO-3, CF-8: what the agent doesn’t have or take is said once, and the rest is set', async () => {
    const { calls, notices, session } = await created(
      { mode: 'yolo', model: 'elm', web: 'yes', other: 'x', thinking: 'off', llm: 'fern' },
      { modes, configOptions: [model, thinking, web] },
    );
    assert.deepEqual(calls, ['config n thinking off', 'config n llm fern']);
    assert.deepEqual(notices, [
      'Demo has no value “elm” for “model”.',
      'Demo has no value “yolo” for “mode”.',
      'Demo has no value “yes” for “web”.',
      'Demo has no value “x” for “other”.',
      'Demo didn’t accept “off” for “thinking”.',
    ]);
    assert.deepEqual(session.takeNoticesBefore(), []);
    assert.deepEqual((await created({ mode: 'yolo' }, { modes })).calls, []);
  });

  it('MO-3, SEC-56: aren’t applied to a session that is loaded, nor in a workspace without trust', async () => {
    const { agents, sessions, connections, workspace, calls } = await created(
      { mode: 'plan' },
      { modes },
    );
    const agent = agents.get('demo')!;
    await sessions.open(agent, info('s0')).load();
    await sessions.resume(agent, info('s1'));
    workspace.trusted = false;
    connections[0]!.opening = () => ({ sessionId: 'n2', modes });
    await sessions.create(agent, folder);
    const later = connections[0]!.calls.filter((call) => call.startsWith('mode'));
    assert.deepEqual(later, calls);
  });

  it('a change of them keeps the agent’s process, and counts for the next session', async () => {
    const { agents, sessions, settings, connections } = await created({ mode: 'plan' }, { modes });
    const agent = agents.get('demo')!;
    settings.set(
      config('demo', { title: 'Demo', defaults: {}, resumeCommand: ['x', '${sessionId}'] }),
    );
    assert.equal(agents.get('demo'), agent);
    connections[0]!.opening = () => ({ sessionId: 'n2', modes });
    await sessions.create(agent, folder);
    assert.ok(!connections[0]!.calls.includes('mode n2 plan'));
    assert.equal(connections.length, 1);
  });
});
