import assert from 'node:assert/strict';
import { isTitledByPrompt } from '../../../../src/model/list/promptTitles';
import type { Session } from '../../../../src/model/session/session';
import type { AgentCapabilities } from '../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { memento } from '../fakePlatform';
import { allCapabilities, type FakeConnection, folder, session as info } from '../fakes';
import { ids } from '../list/listBench';
import { draft, failureOf, replays, type SessionsBench, sessionsBench } from '../sessionBench';

/** The capabilities of Gemini: it can load its sessions but not list them. */
const loadsOnly = { list: false, resume: false, delete: false };
/** The capabilities of Cline: a closed session can't be opened again. */
const startsOnly = { ...loadsOnly, load: false };

function window(
  storage = memento(),
  capabilities: Partial<AgentCapabilities> = loadsOnly,
): SessionsBench {
  return sessionsBench(
    ['gemini'],
    (connection) => {
      connection.capabilities = { ...allCapabilities, ...capabilities };
    },
    {},
    storage,
  );
}

/** Starts a session with this prompt, which the agent answers immediately. */
async function begin({ agents, sessions, connections }: SessionsBench, text: string) {
  const [agent] = agents.all;
  assert.ok(agent);
  const session = await sessions.create(agent, folder);
  session.turns.submit(draft(text));
  const connection = connections.at(-1)!;
  await until(() => connection.prompts.at(-1)?.sessionId === session.info.sessionId);
  connection.prompts.at(-1)!.resolve('end_turn');
  await until(() => session.turns.current.kind === 'idle');
  return session;
}

async function listOf({ agents }: SessionsBench) {
  const list = agents.all[0]!.lists.of(folder);
  await list.load();
  return list;
}

function unknownTo(connection: FakeConnection): void {
  connection.replay = () => Promise.reject(new AcpError('gone', 'no such session'));
}

describe('sessions of an agent that can’t list them (LIST-3)', () => {
  it('are titled by their first prompt, in the list and in the tab', async () => {
    const made = window();
    const list = await listOf(made);
    const session = await begin(made, 'Find the\nleak  in the parser');
    assert.equal(session.title, 'Find the leak in the parser');
    assert.equal(list.rows[0]?.title, 'Find the leak in the parser');
    session.turns.submit(draft('And now the tests'));
    await until(() => made.connections[0]!.prompts.length === 2);
    assert.equal(session.title, 'Find the leak in the parser');
  });

  it('keep a title that the agent gives them', async () => {
    const made = window();
    const session = await begin(made, 'First words');
    const title = 'Given';
    made.connections[0]!.send(session.info.sessionId, {
      sessionUpdate: 'session_info_update',
      title,
    });
    assert.equal((await listOf(made)).rows[0]?.title, title);
    await until(() => made.remembered.of('gemini')[0]?.title === title);
  });

  it('are listed again in the next window, newest first, and open with a load', async () => {
    const storage = memento();
    const before = window(storage);
    for (const text of ['One', 'Two']) {
      await (await begin(before, text)).close();
    }
    const next = window(storage);
    const list = await listOf(next);
    assert.deepEqual(
      list.rows.map(({ title }) => title),
      ['Two', 'One'],
    );
    assert.ok(list.rows.every(({ updatedAt }) => updatedAt !== undefined));
    replays(next.connections[0]!, 'What was said');
    const opened = next.sessions.open(next.agents.all[0]!, list.rows[1]!.info);
    await opened.load();
    assert.equal(opened.phase.kind, 'ready');
    assert.equal(opened.title, 'One');
    await opened.close();
    assert.equal(list.rows.length, 2);
  });

  it('whose tab comes back with a title from here still say that it is from the prompt', async () => {
    const storage = memento();
    const before = await begin(window(storage), 'First words');
    const next = window(storage);
    const saved = { ...before.info, title: before.title };
    const session = next.sessions.open(next.agents.all[0]!, saved);
    await session.load();
    assert.equal(session.title, 'First words');
    assert.ok(isTitledByPrompt(session.info));
    const [row] = (await listOf(next)).rows;
    assert.equal(row?.title, 'First words');
    assert.ok(isTitledByPrompt(row.info));
  });

  it('stay in the list of their folder', async () => {
    const made = window();
    await begin(made, 'Here');
    const [agent] = made.agents.all;
    const other = agent!.lists.of({ name: 'other', path: '/home/user/other' });
    await other.load();
    assert.deepEqual(ids(other), []);
    const all = agent!.lists.of(undefined);
    await all.load();
    assert.equal(all.rows.length, 1);
  });

  it('are not remembered while nothing was said in them', async () => {
    const made = window();
    const list = await listOf(made);
    const session = await made.sessions.create(made.agents.all[0]!, folder);
    assert.equal(list.rows.length, 1);
    await session.close();
    assert.deepEqual(ids(list), []);
    assert.deepEqual(made.remembered.of('gemini'), []);
  });

  it('that the agent doesn’t have any more say so, and can be forgotten', async () => {
    const storage = memento();
    await (await begin(window(storage), 'Lost')).close();
    const next = window(storage);
    const list = await listOf(next);
    unknownTo(next.connections[0]!);
    const row = list.rows[0]!;
    const opened: Session = next.sessions.open(next.agents.all[0]!, row.info);
    await opened.load();
    const failure = failureOf(opened);
    assert.equal(failure.code, 'gone');
    assert.ok(failure.actions.includes('forgetSession'));
    await next.sessions.delete(next.agents.all[0]!, row.info);
    assert.deepEqual(ids(list), []);
    assert.deepEqual((await listOf(window(storage))).rows, []);
    assert.ok(!next.connections[0]!.calls.some((call) => call.startsWith('delete')));
  });

  it('DEL-3: are deleted at the agent where it can', async () => {
    const made = window(memento(), { ...loadsOnly, delete: true });
    const session = await begin(made, 'Away with it');
    await made.sessions.delete(made.agents.all[0]!, session.info);
    const { calls } = made.connections[0]!;
    assert.ok(calls.includes(`delete ${session.info.sessionId}`));
    assert.deepEqual(made.remembered.of('gemini'), []);
  });

  it('that can’t be opened again are listed as long as they are open', async () => {
    const storage = memento();
    const made = window(storage, startsOnly);
    const list = await listOf(made);
    const session = await begin(made, 'Only now');
    assert.equal(list.rows[0]?.title, 'Only now');
    await session.close();
    assert.deepEqual(ids(list), []);
    assert.deepEqual((await listOf(window(storage, startsOnly))).rows, []);
  });

  it('of an agent that lists are left to its list', async () => {
    const made = window(memento(), {});
    await begin(made, 'Not ours to remember');
    assert.deepEqual(made.remembered.of('gemini'), []);
  });
});

describe('remembered data of sessions', () => {
  it('SEC-110: is bounded: the oldest go first', async () => {
    const { remembered } = window();
    for (let index = 0; index < 510; index++) {
      await remembered.keep('gemini', info(`s${index}`));
    }
    const kept = remembered.of('gemini');
    assert.equal(kept.length, 500);
    assert.equal(kept[0]?.sessionId, 's509');
    assert.equal(kept.at(-1)?.sessionId, 's10');
  });

  it('SEC-69: is read with care: what isn’t a session is left out', async () => {
    const storage = memento();
    const good = { agentId: 'gemini', sessionId: 'ok', cwd: folder.path, title: 'A\n\u202eb' };
    await storage.update('sessions.remembered', [
      ...[null, 7, 'x', {}, { ...good, sessionId: '' }, { ...good, sessionId: 'x'.repeat(99_999) }],
      ...[
        { ...good, sessionId: 'a\0b' },
        { ...good, cwd: 'relative' },
        { ...good, agentId: 1 },
      ],
      good,
    ]);
    const { rows } = await listOf(window(storage));
    assert.deepEqual(
      rows.map(({ info: { sessionId }, title }) => [sessionId, title]),
      [['ok', 'A b']],
    );
    await storage.update('sessions.remembered', 'nonsense');
    assert.deepEqual((await listOf(window(storage))).rows, []);
  });
});
