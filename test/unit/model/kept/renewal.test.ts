import assert from 'node:assert/strict';
import { KeptWork } from '../../../../src/model/kept/keptWork';
import { moveDraft, needsRenewal, renew } from '../../../../src/model/kept/renewal';
import { toSavedTranscript } from '../../../../src/model/kept/savedTranscript';
import type { Session } from '../../../../src/model/session/session';
import { AcpError } from '../../../../src/protocol/errors';
import type { ConfigOption } from '../../../../src/shared/transcript/config';
import { until } from '../../../support/until';
import { type FakeConnection, folder, session as info, silentLog } from '../fakes';
import { FakeTexts } from '../session/fakeTexts';
import { draft, type SessionBench, sessionBench } from '../sessionBench';
import { user } from '../updates';

const notFound = (): AcpError =>
  new AcpError('gone', 'Resource not found', { rpcCode: -32002, data: { uri: 'n1' } });
const modes = {
  currentModeId: 'ask',
  modes: [
    { id: 'ask', name: 'Ask' },
    { id: 'plan', name: 'Plan' },
  ],
};

function model(value: string): ConfigOption {
  const choices = ['small', 'large'].map((each) => ({ value: each, name: each }));
  return { id: 'model', name: 'Model', type: 'select', value, groups: [{ choices }] };
}

/** A window; its agent gives each session another id, and answers loads like this. */
async function window(
  load: (connection: FakeConnection) => unknown,
  texts = new FakeTexts(),
  setup: object = { modes },
) {
  let count = 0;
  const made = sessionBench((connection) => {
    const prefix = `n${texts.texts.size}${made?.connections.length ?? 0}`;
    connection.opening = () => ({ sessionId: `${prefix}-${++count}`, ...setup });
    connection.configuring = (_, value) => [model(String(value))];
    connection.replay = () => load(connection);
  }) as SessionBench | undefined;
  assert.ok(made);
  const work = new KeptWork({ texts, sessions: made.sessions, log: silentLog });
  await work.read();
  return Object.assign(made, { work, texts });
}

/** Opens, in a new window, what an earlier one has left. */
async function reopened(
  texts: FakeTexts,
  old: Session,
  load: (connection: FakeConnection) => unknown,
) {
  const after = await window(load, texts);
  const session = after.sessions.open(after.agent, info(old.info.sessionId));
  await session.load();
  return { after, session };
}

describe('a session that was never prompted (T-61)', () => {
  it('takes the place of one that the agent doesn’t keep, with draft, mode and options, after a reload', async () => {
    const answers: readonly (() => AcpError)[] = [
      notFound,
      () => new AcpError('rpc', 'Internal error: no session', { rpcCode: -32603 }),
      () => new AcpError('invalidParams', 'Invalid params', { rpcCode: -32602 }),
    ];
    for (const answer of answers) {
      const before = await window(notFound, new FakeTexts(), { modes });
      const old = await before.sessions.create(before.agent, folder);
      await old.setMode('plan');
      before.work.setDraft(toSavedTranscript(old), draft('half a thought'));
      await before.work.end();
      const { after, session } = await reopened(before.texts, old, () => Promise.reject(answer()));
      assert.ok(needsRenewal(session), JSON.stringify(session.phase));
      const made = await renew(after.sessions, session);
      moveDraft(after.work, session, made);
      assert.notEqual(made, session);
      assert.equal(made.info.cwd, old.info.cwd);
      assert.equal(made.facts.modes?.currentModeId, 'plan');
      assert.equal(after.work.getDraft('demo', made.info.sessionId).draft.text, 'half a thought');
      assert.equal(after.work.getDraft('demo', session.info.sessionId).draft.text, '');
      assert.equal(needsRenewal(made), false);
    }
  });

  it('gets options, too, and comes back once more', async () => {
    const before = await window(notFound, new FakeTexts(), { configOptions: [model('small')] });
    const old = await before.sessions.create(before.agent, folder);
    await old.setConfigOption('model', 'large');
    await before.work.end();
    const setup = { configOptions: [model('small')] };
    const after = await window(() => Promise.reject(notFound()), before.texts, setup);
    const session = after.sessions.open(after.agent, info(old.info.sessionId));
    await session.load();
    const made = await renew(after.sessions, session);
    assert.equal(made.facts.configOptions[0]?.value, 'large');
    assert.deepEqual(made.unprompted, { model: 'large' });
  });

  it('comes back after a restart of the agent, also of one that can’t open sessions', async () => {
    for (const can of [true, false]) {
      const made = await window((connection) =>
        made.connections.indexOf(connection) > 0 ? Promise.reject(notFound()) : undefined,
      );
      const { connect } = made;
      made.connect = async (wanted, signal) => {
        const connection = await connect(wanted, signal);
        connection.capabilities = { ...connection.capabilities, load: can, resume: can };
        return connection;
      };
      const old = await made.sessions.create(made.agent, folder);
      await made.agent.restart();
      await until(() => needsRenewal(old));
    }
  });

  it('is the same session if the agent gives it the same id again', async () => {
    const made = sessionBench((connection) => {
      connection.opening = () => ({ sessionId: 'session-1', modes });
      connection.replay = () => Promise.reject(notFound());
    });
    const old = await made.sessions.create(made.agent, folder);
    await old.setMode('plan');
    await made.agent.restart();
    await until(() => needsRenewal(old));
    assert.equal(await renew(made.sessions, old), old);
    assert.ok(old.isLive);
    assert.equal(old.facts.modes?.currentModeId, 'plan');
    assert.deepEqual(old.phase, { kind: 'ready' });
  });

  it('is loading until the new one has been begun, which the user can cancel', async () => {
    const before = await window(notFound);
    const old = await before.sessions.create(before.agent, folder);
    await before.work.end();
    const { session } = await reopened(before.texts, old, () => Promise.reject(notFound()));
    const failed = session.phase;
    let aborted: AbortSignal | undefined;
    const renewal = session.renewed(
      (signal) =>
        new Promise<void>((_, reject) => {
          aborted = signal;
          signal.addEventListener('abort', () => reject(new Error('cancelled')));
        }),
    );
    assert.deepEqual(session.phase, { kind: 'loading', received: 0 });
    assert.equal(session.writable.kind, 'no');
    session.cancelLoad();
    await assert.rejects(renewal, /cancelled/);
    assert.ok(aborted?.aborted);
    assert.deepEqual(session.phase, failed);
  });

  it('a prompt that came too early waits in it for the user', async () => {
    const before = await window(notFound);
    const old = await before.sessions.create(before.agent, folder);
    await before.work.end();
    const after = await window(() => Promise.reject(notFound()), before.texts);
    const session = after.sessions.open(after.agent, info(old.info.sessionId));
    session.turns.submit(draft('do it'));
    await until(() => session.turns.current.kind === 'idle');
    const made = await renew(after.sessions, session);
    assert.deepEqual(
      made.turns.queue.map(({ held, draft: { text } }) => [held, text]),
      [[true, 'do it']],
    );
  });

  it('is new, not empty, where the agent still knows it', async () => {
    const before = await window(notFound);
    const old = await before.sessions.create(before.agent, folder);
    await before.work.end();
    const { session } = await reopened(before.texts, old, () => undefined);
    assert.deepEqual(session.phase, { kind: 'ready' });
    assert.ok(session.unprompted);
  });

  it('isn’t made for one that was prompted, that was continued elsewhere, or that is held', async () => {
    const prompted = await window(notFound);
    const first = await prompted.sessions.create(prompted.agent, folder);
    first.turns.submit(draft('go'));
    await until(() => prompted.connections[0]?.prompts.length === 1);
    prompted.connections[0]?.prompts[0]?.resolve('end_turn');
    await until(() => first.turns.current.kind === 'idle');
    await prompted.work.end();
    const { session } = await reopened(prompted.texts, first, () => Promise.reject(notFound()));
    assert.equal(session.phase.kind, 'failed');
    assert.equal(needsRenewal(session), false);

    const other = await window(notFound);
    const second = await other.sessions.create(other.agent, folder);
    await other.work.end();
    const { after, session: grown } = await reopened(other.texts, second, (connection) =>
      connection.send(second.info.sessionId, user('from a terminal')),
    );
    assert.equal(grown.unprompted, undefined);
    await after.work.end();
    assert.equal(other.texts.texts.size, 0);

    const held = await window(notFound);
    const third = await held.sessions.create(held.agent, folder);
    await held.work.end();
    const { session: busy } = await reopened(held.texts, third, () =>
      Promise.reject(new AcpError('held', 'in use by another process')),
    );
    assert.equal(needsRenewal(busy), false);
  });

  it('nothing is kept of one that was closed without a word, and a draft of one that wasn’t', async () => {
    const made = await window(notFound);
    const [empty, written] = [
      await made.sessions.create(made.agent, folder),
      await made.sessions.create(made.agent, folder),
    ];
    made.work.setDraft(toSavedTranscript(written), draft('later'));
    await Promise.all([empty.close(), written.close()]);
    await made.work.end();
    assert.equal(made.texts.texts.size, 1);
    const { session } = await reopened(made.texts, written, () => Promise.reject(notFound()));
    assert.ok(needsRenewal(session));
  });

  it('takes nothing from a record that isn’t a choice', async () => {
    const made = await window(notFound);
    const old = await made.sessions.create(made.agent, folder);
    await made.work.end();
    const [[name, text] = ['', '']] = made.texts.texts;
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, 'v']));
    const odd = { a: 1, b: null, c: { d: 1 }, e: 'x'.repeat(5_000), ok: true, ...many };
    made.texts.texts.set(name, JSON.stringify({ ...JSON.parse(text), unprompted: odd }));
    const { session } = await reopened(made.texts, old, () => Promise.reject(notFound()));
    const keys = Object.keys(session.unprompted ?? {});
    assert.equal(keys[0], 'ok');
    assert.equal(keys.length, 50);
  });
});
