import assert from 'node:assert/strict';
import { readRecord } from '../../../../src/model/kept/keptRecords';
import { KeptWork } from '../../../../src/model/kept/keptWork';
import type { SessionSetup } from '../../../../src/protocol/agentConnection';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { idle, silentLog } from '../fakes';
import { draft, prompted, type SessionBench, sessionBench } from '../sessionBench';
import { FakeTexts } from './fakeTexts';

/** The modes of Gemini, which opens every session in the first one. */
const modes = (currentModeId: string): SessionSetup => ({
  modes: {
    currentModeId,
    modes: [
      { id: 'default', name: 'Default' },
      { id: 'yolo', name: 'YOLO' },
      { id: 'plan', name: 'Plan' },
    ],
  },
});
/** The modes of Codex as an option. */
const option = (value: string): SessionSetup => ({
  configOptions: [
    {
      ...{ id: 'sandbox', category: 'mode', name: 'Mode', type: 'select', value },
      groups: [
        {
          choices: [
            { value: 'read-only', name: 'Read-only' },
            { value: 'agent', name: 'Auto review' },
          ],
        },
      ],
    },
  ],
});
const modeIs = (currentModeId: string): SessionUpdate => ({
  sessionUpdate: 'current_mode_update',
  currentModeId,
});

/** A window in which the agent opens the session with this; the texts have what the one before has kept. */
async function window(setup: SessionSetup, texts = new FakeTexts()) {
  const made = sessionBench((connection) => {
    connection.replay = () => {
      connection.send('s0', { sessionUpdate: 'agent_message_chunk', content });
      return setup;
    };
    connection.configuring = (_, value) => option(String(value)).configOptions ?? [];
  });
  const work = new KeptWork({ texts, sessions: made.sessions, log: silentLog, now: Date.now });
  await work.read();
  await made.session.load();
  return Object.assign(made, { work, texts });
}

const content = { type: 'text', text: 'Hello' } as const;

async function reloaded(setup: SessionSetup, before: Awaited<ReturnType<typeof window>>) {
  await before.work.end();
  return window(setup, before.texts);
}

function sent({ connections }: SessionBench): readonly string[] {
  return connections.flatMap(({ calls }) => calls).filter((call) => !call.startsWith('load'));
}

/** Whether the user may end the turn here, because the agent hasn't answered that it is to stop. */
function hasGivenUp({ session: { turns } }: SessionBench): boolean {
  return turns.current.kind === 'running' && turns.current.canForce;
}

describe('a session that was in a careful mode', () => {
  it('T-84: says so when it comes back in another one, and the next prompt waits until it is set again', async () => {
    const before = await window(modes('default'));
    await before.session.setMode('plan');
    const after = await reloaded(modes('default'), before);
    assert.deepEqual(after.session.fallenMode, {
      from: { value: 'plan', name: 'Plan' },
      now: 'Default',
    });
    after.session.turns.submit(draft('go'));
    await idle();
    assert.deepEqual(sent(after), []);
    assert.equal(after.session.turns.current.kind, 'idle');
    assert.equal(after.session.turns.queue.length, 1);
    await after.session.setMode('plan');
    await until(() => after.connections[0]!.prompts.length === 1);
    assert.deepEqual(sent(after), ['mode s0 plan', 'prompt s0 go']);
    assert.equal(after.session.fallenMode, undefined);
  });

  it('T-84: goes on in the other one if the user says so, and doesn’t say it again', async () => {
    const before = await window(option('read-only'));
    const after = await reloaded(option('agent'), before);
    assert.deepEqual(after.session.fallenMode, {
      from: { option: 'sandbox', value: 'read-only', name: 'Read-only' },
      now: 'Auto review',
    });
    after.session.turns.submit(draft('go'));
    after.session.goOnInMode();
    await until(() => after.connections[0]!.prompts.length === 1);
    assert.equal(after.session.fallenMode, undefined);
    const last = await reloaded(option('agent'), after);
    assert.equal(last.session.fallenMode, undefined);
  });

  it('T-84: says it until the decision, whatever else is chosen, and in the window after', async () => {
    const before = await window(modes('plan'));
    const after = await reloaded(modes('default'), before);
    after.connections[0]!.send('s0', modeIs('yolo'));
    assert.equal(after.session.fallenMode?.now, 'YOLO');
    const later = await reloaded(modes('default'), after);
    assert.equal(later.session.fallenMode?.now, 'Default');
    await later.session.setMode('yolo');
    assert.equal(later.session.fallenMode, undefined);
  });

  it('T-84: says it after a restart of the agent, also if a prompt has opened the session', async () => {
    let setup = modes('plan');
    const made = sessionBench((connection) => {
      connection.replay = () => setup;
    });
    await made.session.load();
    setup = modes('default');
    made.connections[0]!.die();
    made.session.turns.submit(draft('go'));
    await until(() => made.session.fallenMode !== undefined);
    await idle();
    assert.equal(made.connections.flatMap(({ prompts }) => prompts).length, 0);
    made.session.goOnInMode();
    await until(() => made.connections.at(-1)!.prompts.length === 1);
  });

  it('T-84: names of modes are short and in one line', async () => {
    const named = (currentModeId: string): SessionSetup => ({
      modes: {
        currentModeId,
        modes: [
          { id: 'default', name: `Default\n${'x'.repeat(4_000)}` },
          { id: 'plan', name: 'Plan\u202e' },
        ],
      },
    });
    const after = await reloaded(named('default'), await window(named('plan')));
    const { from, now = '' } = after.session.fallenMode ?? {};
    assert.equal(from?.name, 'Plan');
    assert.match(now, /^Default x+…$/);
    assert.equal(now.length, 41);
  });

  it('T-84: a prompt that is stopped while the session opens goes, and no turn is left of it', async () => {
    const before = await window(modes('plan'));
    await before.work.end();
    const opens = deferred<SessionSetup>();
    const made = sessionBench((connection) => (connection.replay = () => opens.promise), {
      cancelMs: 1,
    });
    const work = new KeptWork({ texts: before.texts, sessions: made.sessions, log: silentLog });
    await work.read();
    made.session.turns.submit(draft('go'));
    await until(() => made.connections[0]?.loads.length === 1);
    made.session.turns.cancel();
    await until(() => hasGivenUp(made));
    opens.resolve(modes('default'));
    await until(() => made.session.fallenMode !== undefined);
    await until(() => made.session.turns.current.kind === 'idle');
    assert.deepEqual(made.session.turns.queue, []);
    made.session.goOnInMode();
    await idle();
    assert.deepEqual(sent(made), []);
  });

  it('T-84: a session whose prompts only wait for the decision isn’t at work', async () => {
    const after = await reloaded(modes('default'), await window(modes('plan')));
    after.session.turns.submit(draft('go'));
    await idle();
    assert.equal(after.session.turns.queue.length, 1);
    assert.equal(after.session.isBusy, false);
    after.session.goOnInMode();
    assert.equal(after.session.isBusy, true);
  });

  it('T-84: says so also if the agent tells the mode only after it has opened the session', async () => {
    const before = await window(option('read-only'));
    const after = await reloaded({}, before);
    const { configOptions = [] } = option('agent');
    after.connections[0]!.send('s0', { sessionUpdate: 'config_option_update', configOptions });
    assert.equal(after.session.fallenMode?.now, 'Auto review');
    after.session.goOnInMode();
    const kept = await reloaded({}, await window(option('read-only')));
    const same = option('read-only').configOptions ?? [];
    kept.connections[0]!.send('s0', {
      sessionUpdate: 'config_option_update',
      configOptions: same,
    });
    kept.connections[0]!.send('s0', { sessionUpdate: 'config_option_update', configOptions });
    assert.equal(kept.session.fallenMode, undefined, 'it has left the mode itself');
  });

  it('says nothing when the agent keeps the mode, tells it later, or has left it itself', async () => {
    const kept = await reloaded(modes('plan'), await window(modes('plan')));
    assert.equal(kept.session.fallenMode, undefined);
    const late = await reloaded(modes('default'), kept);
    late.session.turns.submit(draft('go'));
    late.connections[0]!.send('s0', modeIs('plan'));
    assert.equal(late.session.fallenMode, undefined);
    await until(() => late.connections[0]!.prompts.length === 1);
    late.connections[0]!.send('s0', modeIs('default'));
    const left = await reloaded(modes('default'), late);
    assert.equal(left.session.fallenMode, undefined);
  });

  it('reads back no mode that another program has changed into something else, and none that is too long', () => {
    const saved = {
      ...{ agentId: 'demo', sessionId: 's0', cwd: '/w', title: 'First' },
      additionalDirectories: [],
    };
    const read = (mode: unknown) =>
      readRecord(JSON.stringify({ version: 1, saved, time: 1, left: 0, mode }));
    assert.deepEqual(read({ value: 'plan', option: 'm', name: 'Plan' })?.mode, {
      option: 'm',
      value: 'plan',
    });
    for (const mode of ['plan', null, {}, { value: 5 }, { value: `${'x'.repeat(2000)}/plan` }]) {
      const record = read(mode);
      assert.ok(record);
      assert.equal(record.mode, undefined);
    }
  });

  it('keeps nothing of other modes, and says nothing where the agent tells no mode', async () => {
    const other = await window(modes('yolo'));
    await other.work.end();
    assert.equal(other.texts.texts.size, 0);
    const none = await reloaded({}, await window(modes('plan')));
    assert.equal(none.session.fallenMode, undefined);
    await prompted(none);
  });
});
