import assert from 'node:assert/strict';
import { SessionFacts } from '../../../../src/model/session/sessionFacts';
import type { SessionSetup } from '../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../src/protocol/errors';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import type {
  ConfigOption,
  SessionModels,
  SessionModes,
  UnknownOption,
} from '../../../../src/shared/transcript/config';
import { deferred } from '../../../../src/util/async';
import { idle, session as info } from '../fakes';
import { prompted, sessionBench, texts } from '../sessionBench';

const modes: SessionModes = {
  currentModeId: 'ask',
  modes: ['ask', 'code'].map((id) => ({ id, name: id })),
};
const flag = (id: string, value: boolean): ConfigOption => ({
  type: 'boolean',
  id,
  name: id,
  value,
});
const model = (value: string, category?: string): ConfigOption => ({
  type: 'select',
  id: 'model',
  name: 'Model',
  value,
  groups: [{ choices: ['big', 'small'].map((each) => ({ value: each, name: each })) }],
  ...(category !== undefined && { category }),
});
const usage = (used: number, size: number, more = {}): SessionUpdate => ({
  sessionUpdate: 'usage_update',
  used,
  size,
  ...more,
});
const listed = (...configOptions: ConfigOption[]): SessionUpdate => ({
  sessionUpdate: 'config_option_update',
  configOptions,
});
const modeIs = (currentModeId: string): SessionUpdate => ({
  sessionUpdate: 'current_mode_update',
  currentModeId,
});
const commands = (...names: string[]): SessionUpdate => ({
  sessionUpdate: 'available_commands_update',
  availableCommands: names.map((name) => ({ name, description: name })),
});

async function loaded(setup: SessionSetup = {}) {
  const made = sessionBench((connection) => {
    connection.replay = () => setup;
  });
  await made.session.load();
  return { ...made, connection: made.connections[0]! };
}

describe('Facts: modes', () => {
  it('MO-1, CF-1, CF-11: config options win over modes', async () => {
    const { session, connection } = await loaded({ modes, configOptions: [model('big')] });
    assert.equal(session.facts.modes, undefined);
    connection.send('s0', modeIs('code'));
    assert.equal(session.facts.modes, undefined);
    assert.deepEqual(session.facts.configOptions, [model('big')]);
    assert.deepEqual((await loaded({ modes })).session.facts.modes, modes);
  });

  it('MO-2: no modes at all, and a current one that isn’t listed', async () => {
    assert.equal((await loaded()).session.facts.modes, undefined);
    const empty = { currentModeId: 'x', modes: [] };
    assert.deepEqual((await loaded({ modes: empty })).session.facts.modes, empty);
  });

  it('MO-3: is set at once while a turn runs, and goes back when the agent refuses', async () => {
    const { session, connection } = await loaded({ modes });
    session.turns.submit({ text: 'go', attachments: [] });
    const answer = deferred<undefined>();
    connection.changing = async () => {
      await answer.promise;
    };
    const set = session.setMode('code');
    assert.equal(session.facts.modes?.currentModeId, 'code');
    await idle();
    assert.ok(connection.calls.includes('mode s0 code'));
    answer.reject(new AcpError('rpc', 'no'));
    await assert.rejects(set, AcpError);
    assert.equal(session.facts.modes.currentModeId, 'ask');
  });

  it('MO-3: a refusal undoes nothing that the agent has said since', async () => {
    const { session, connection } = await loaded({ modes });
    connection.changing = () => {
      connection.send('s0', modeIs('plan'));
      throw new AcpError('rpc', 'no');
    };
    await assert.rejects(session.setMode('code'), AcpError);
    assert.equal(session.facts.modes?.currentModeId, 'plan');
  });

  it('MO-3: two that are refused at the same time go back to what the agent is in', async () => {
    const { session, connection } = await loaded({ modes });
    connection.changing = () => Promise.reject(new AcpError('rpc', 'no'));
    await Promise.allSettled([session.setMode('code'), session.setMode('plan')]);
    assert.equal(session.facts.modes?.currentModeId, 'ask');
    connection.changing = () => Promise.resolve();
    await session.setMode('code');
    connection.changing = () => Promise.reject(new AcpError('rpc', 'no'));
    await assert.rejects(session.setMode('plan'), AcpError);
    assert.equal(session.facts.modes.currentModeId, 'code');
  });

  it('LOAD-6: the answer to a load says which mode it is, not the replay of older ones', async () => {
    const { session, connections } = sessionBench((connection) => {
      connection.replay = () => {
        connection.send('s0', modeIs('code'));
        return { modes };
      };
    });
    await session.load();
    assert.equal(connections.length, 1);
    assert.equal(session.facts.modes?.currentModeId, 'ask');
  });

  it('MO-4: what the agent switches to shows, one that it never named too', async () => {
    const { session, connection } = await loaded({ modes });
    connection.send('s0', modeIs('secret'));
    assert.equal(session.facts.modes?.currentModeId, 'secret');
  });
});

describe('Facts: models in a field of their own', () => {
  const models: SessionModels = {
    currentModelId: 'big',
    models: ['big', 'small'].map((value) => ({ value, name: value })),
  };

  it('MO-5, T-83: are an option beside the modes', async () => {
    const { facts } = (await loaded({ modes, models })).session;
    assert.deepEqual(facts.configOptions, [model('big', 'model')]);
    assert.deepEqual(facts.modes, modes);
  });

  it('MO-5: give way to an option for the model, in the answer or later, and come before others', async () => {
    for (const own of [model('big'), { ...model('big', 'model'), id: 'llm' }]) {
      const { session } = await loaded({ modes, models, configOptions: [own] });
      assert.deepEqual(session.facts.configOptions, [own]);
      assert.equal(session.facts.modes, undefined);
    }
    const { session, connection } = await loaded({
      modes,
      models,
      configOptions: [flag('a', true)],
    });
    assert.deepEqual(session.facts.configOptions, [model('big', 'model'), flag('a', true)]);
    assert.equal(session.facts.modes, undefined, 'MO-1');
    connection.send('s0', listed(flag('a', false)));
    assert.deepEqual(session.facts.configOptions, [model('big', 'model'), flag('a', false)]);
    connection.send('s0', listed(model('small')));
    assert.deepEqual(session.facts.configOptions, [model('small')]);
    await session.setConfigOption('model', 'big');
    assert.equal(connection.calls.at(-1), 'config s0 model big');
  });

  it('MO-6: one is shown at once, and set with a method of its own', async () => {
    const { session, connection } = await loaded({ modes, models });
    const answer = deferred<undefined>();
    connection.changing = async () => {
      await answer.promise;
    };
    const set = session.setConfigOption('model', 'small');
    assert.deepEqual(session.facts.configOptions, [model('small', 'model')]);
    assert.equal(connection.calls.at(-1), 'model s0 small');
    connection.send('s0', listed(flag('a', true)));
    answer.resolve(undefined);
    await set;
    assert.deepEqual(session.facts.configOptions, [model('small', 'model'), flag('a', true)]);
    connection.send('s0', listed());
    assert.deepEqual(session.facts.configOptions, [model('small', 'model')]);
  });

  it('MO-6: goes back when the agent refuses it', async () => {
    const { session, connection } = await loaded({ models });
    await session.setConfigOption('model', 'small');
    connection.changing = () => Promise.reject(new AcpError('rpc', 'no'));
    await assert.rejects(session.setConfigOption('model', 'big'), AcpError);
    assert.deepEqual(session.facts.configOptions, [model('small', 'model')]);
  });

  it('MO-5: follow the answer when the session is opened again', async () => {
    let setup: SessionSetup = { models };
    const { session } = sessionBench((connection) => {
      connection.replay = () => setup;
    });
    await session.load();
    await session.setConfigOption('model', 'small');
    setup = {};
    await session.reload();
    assert.deepEqual(session.facts.configOptions, [model('small', 'model')]);
    setup = { models };
    await session.reload();
    assert.deepEqual(session.facts.configOptions, [model('big', 'model')]);
  });
});

describe('Facts: config options', () => {
  it('CF-2, CF-4: in the agent’s order, whatever their category', async () => {
    const options = [
      model('big', 'future'),
      flag('b', true),
      { ...flag('a', false), category: '_x' },
    ];
    const { session } = await loaded({ configOptions: options });
    assert.deepEqual(session.facts.configOptions, options);
  });

  it('CF-8, CF-9: shown at once; the answer is the whole list, and a shorter one counts', async () => {
    const { session, connection } = await loaded({
      configOptions: [model('big'), flag('fast', true)],
    });
    connection.configuring = () => [model('small')];
    const set = session.setConfigOption('model', 'small');
    assert.deepEqual(session.facts.configOptions, [model('small'), flag('fast', true)]);
    await set;
    assert.deepEqual(session.facts.configOptions, [model('small')]);
    assert.equal(connection.calls.at(-1), 'config s0 model small');
    connection.send('s0', listed(flag('new', false)));
    assert.deepEqual(session.facts.configOptions, [flag('new', false)]);
    connection.send('s0', listed());
    assert.deepEqual(session.facts.configOptions, []);
  });

  it('CF-8: two that are refused at the same time both go back', async () => {
    const before = [model('big'), flag('fast', true)];
    const { session, connection } = await loaded({ configOptions: before });
    connection.configuring = () => Promise.reject(new AcpError('rpc', 'no'));
    const both = [
      session.setConfigOption('model', 'small'),
      session.setConfigOption('fast', false),
    ];
    assert.deepEqual(session.facts.configOptions, [model('small'), flag('fast', false)]);
    await Promise.allSettled(both);
    assert.deepEqual(session.facts.configOptions, before);
  });

  it('CF-8: two refused values of one option go back to the one that the agent has', async () => {
    const { session, connection } = await loaded({ configOptions: [model('big')] });
    connection.configuring = () => Promise.reject(new AcpError('rpc', 'no'));
    await Promise.allSettled([
      session.setConfigOption('model', 'small'),
      session.setConfigOption('model', 'tiny'),
    ]);
    assert.deepEqual(session.facts.configOptions, [model('big')]);
  });

  it('CF-8: one that has gone meanwhile stays gone', async () => {
    const { session, connection } = await loaded({
      configOptions: [model('big'), flag('fast', true)],
    });
    connection.configuring = () => {
      connection.send('s0', listed(flag('fast', true)));
      throw new AcpError('rpc', 'no');
    };
    await assert.rejects(session.setConfigOption('model', 'small'), AcpError);
    assert.deepEqual(session.facts.configOptions, [flag('fast', true)]);
  });

  it('CF-10: prompting sets none', async () => {
    const made = sessionBench((connection) => {
      connection.replay = () => ({ configOptions: [model('big')] });
    });
    const { connection } = await prompted(made);
    assert.deepEqual(connection.calls, ['load s0', 'prompt s0 go']);
  });
});

describe('Facts: commands, usage, notices, compaction', () => {
  it('CM-1, CM-3: each list replaces the one before, for its session only', async () => {
    const { session, sessions, agent, connection } = await loaded();
    const other = sessions.open(agent, info('s1'));
    connection.send('s0', commands('a'), commands('b', 'c'));
    connection.send('s1', commands('d'));
    assert.deepEqual(
      session.facts.commands.map(({ name }) => name),
      ['b', 'c'],
    );
    assert.deepEqual(
      other.facts.commands.map(({ name }) => name),
      ['d'],
    );
    connection.send('s0', commands());
    assert.deepEqual(session.facts.commands, []);
  });

  it('US-1, US-2: the last word counts, with its cost or without one', async () => {
    const { session, connection } = await loaded();
    const cost = { amount: 0.5, currency: 'credits' };
    connection.send('s0', usage(1, 10, { cost }));
    assert.deepEqual(session.facts.usage, { used: 1, size: 10, cost });
    connection.send('s0', usage(2, 10));
    assert.deepEqual(session.facts.usage, { used: 2, size: 10 });
  });

  it('an update that keeps the cost has the one before (V2-USE-1)', async () => {
    const { session, connection } = await loaded();
    const cost = { amount: 0.5, currency: 'USD' };
    connection.send('s0', usage(1, 10, { keepsCost: true }));
    assert.deepEqual(session.facts.usage, { used: 1, size: 10 });
    connection.send('s0', usage(2, 10, { cost }), usage(3, 10, { keepsCost: true }));
    assert.deepEqual(session.facts.usage, { used: 3, size: 10, cost });
  });

  it('US-3: a value that isn’t a number changes nothing, and an invalid cost is left out', async () => {
    const { session, connection } = await loaded();
    connection.send('s0', usage(1, 0));
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      connection.send('s0', usage(bad, 10), usage(1, bad));
    }
    assert.deepEqual(session.facts.usage, { used: 1, size: 0 });
    connection.send('s0', usage(9, 5, { cost: { amount: Number.NaN, currency: 'USD' } }));
    assert.deepEqual(session.facts.usage, { used: 9, size: 5 });
  });

  it('NO-2, NO-3: a notice of any severity is reported, changes no state and adds no entry', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const heard: string[] = [];
    made.session.onNotice(({ severity }) => heard.push(severity));
    for (const severity of ['info', 'warning', 'error', 'odd']) {
      connection.send('s0', { sessionUpdate: 'notice', severity, title: 'x' });
    }
    assert.deepEqual(heard, ['info', 'warning', 'error', 'odd']);
    assert.equal(made.session.turns.current.kind, 'running');
    assert.deepEqual(texts(made.session), ['go']);
  });

  it('CP-2, CP-4, CP-5: a compaction in a turn is one entry after the earlier messages', async () => {
    const made = sessionBench();
    const { connection } = await prompted(made);
    const update = { sessionUpdate: 'compaction_update', compactionId: 'k' } as const;
    connection.send('s0', { ...update, status: 'in_progress' }, { ...update, status: 'odd' });
    assert.deepEqual(texts(made.session), ['go', 'compaction']);
  });

  it('V2-NEW-3, V2-CMD-1: the commands of an answer count until an update tells others, also before the answer', async () => {
    const command = (name: string) => ({ name, description: '' });
    const told = (name: string): SessionUpdate => ({
      sessionUpdate: 'available_commands_update',
      availableCommands: [command(name)],
    });
    let isTold = false;
    const made = sessionBench((each) => {
      each.replay = () => {
        if (isTold) {
          each.send('s0', told('update'));
        }
        return { commands: [command('answer')] };
      };
    });
    const names = (): readonly string[] => made.session.facts.commands.map(({ name }) => name);
    await made.session.load();
    assert.deepEqual(names(), ['answer']);
    made.connections[0]!.send('s0', told('later'));
    assert.deepEqual(names(), ['later']);
    await made.session.reload();
    assert.deepEqual(
      names(),
      ['answer'],
      'what was told before the session was opened again is older',
    );
    isTold = true;
    await made.session.reload();
    assert.deepEqual(names(), ['update']);
  });

  it('CF-6: options of unknown types are apart, hold until the next list, and are named in the log once', () => {
    const lines: string[] = [];
    const facts = new SessionFacts((line) => lines.push(line));
    const unknown = (name: string): UnknownOption => ({
      ...{ type: 'unknown', kind: 'number', name, raw: '{"secret":1}' },
    });
    facts.setConfigOptions([flag('f', true), unknown('Heat')]);
    facts.setConfigOptions([flag('f', false), unknown('Heat')]);
    assert.deepEqual(facts.configOptions, [flag('f', false)]);
    assert.deepEqual(facts.unknownOptions, [unknown('Heat')]);
    facts.takeSetup({ models: { currentModelId: 'a', models: [{ value: 'a', name: 'A' }] } });
    assert.deepEqual(facts.unknownOptions, [unknown('Heat')], 'models are no list of options');
    assert.deepEqual(lines, ['Option "Heat" of unknown type "number"']);
    for (let index = 0; index < 40; index++) {
      facts.setConfigOptions([unknown(`n${index}`)]);
    }
    assert.equal(lines.length, 20, 'an agent may make up a new name each time');
    facts.takeSetup({ modes, configOptions: [unknown('Heat')] });
    assert.equal(facts.modes, modes, 'MO-1: nothing else can be chosen');
    facts.setConfigOptions([]);
    assert.deepEqual(facts.unknownOptions, []);
  });

  it('T-93: suggested prompts hold until the next one is sent, and not over a reload', async () => {
    const made = sessionBench();
    const { connection, prompt } = await prompted(made);
    const suggest = (...suggestions: string[]): void =>
      connection.send('s0', { sessionUpdate: 'prompt_suggestions_update', suggestions });
    const suggested = (): readonly string[] => made.session.facts.suggestedPrompts;
    // Agents tell them when the turn is about to end.
    suggest('Run the tests');
    prompt.resolve('end_turn');
    await idle();
    assert.deepEqual(suggested(), ['Run the tests']);
    assert.deepEqual(texts(made.session), ['go', 'turn'], 'they are no part of the conversation');
    made.session.turns.submit({ text: 'Something else', attachments: [] });
    await idle();
    assert.deepEqual(suggested(), []);
    suggest('Commit');
    suggest();
    assert.deepEqual(suggested(), []);
    suggest('Commit');
    await made.session.reload();
    assert.deepEqual(suggested(), []);
  });
});
