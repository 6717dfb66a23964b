import assert from 'node:assert/strict';
import type { WorkspaceFolder } from '../../../../src/model/ports';
import type { SessionPage } from '../../../../src/protocol/agentConnection';
import { deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { folder, session as listed, paged } from '../fakes';
import { draft, sessionBench } from '../sessionBench';
import { ids } from './listBench';

/**
 * Sessions that were created in this window: most agents list them only after their first prompt.
 */
describe('SessionList: sessions made here', () => {
  it('stay through refreshes until the agent lists them, and then are its to drop', async () => {
    const made = sessionBench((connection) => {
      connection.list = paged([listed('old')]);
    });
    const list = made.agent.lists.of(folder);
    await list.load();
    const { sessionId } = (await made.sessions.create(made.agent, folder)).info;
    assert.deepEqual(ids(list), [sessionId, 'old']);
    await list.refresh();
    assert.deepEqual(ids(list), [sessionId, 'old']);
    made.connections[0]!.list = paged([listed(sessionId, { title: 'Named' }), listed('old')]);
    await list.refresh();
    assert.equal(list.find(sessionId)?.title, 'Named');
    assert.equal(list.rows.length, 2);
    made.connections[0]!.list = paged([listed('old')]);
    await list.refresh();
    assert.deepEqual(ids(list), ['old']);
  });

  it('are in a list that is looked at later, and in one that the agent can’t give (LIST-3)', async () => {
    const made = sessionBench((connection) => {
      connection.capabilities = { ...connection.capabilities, list: false };
    });
    const { sessionId } = (await made.sessions.create(made.agent, folder)).info;
    const list = made.agent.lists.of(folder);
    await list.load();
    assert.equal(list.state.kind, 'unsupported');
    assert.deepEqual(ids(list), [sessionId]);
    const other: WorkspaceFolder = { name: 'other', path: '/home/user/other' };
    assert.deepEqual(ids(made.agent.lists.of(other)), []);
  });

  it('are looked for in the agent’s list after a turn', async () => {
    const made = sessionBench((connection) => {
      connection.list = paged([]);
    });
    const list = made.agent.lists.of(folder);
    await list.load();
    const session = await made.sessions.create(made.agent, folder);
    const connection = made.connections[0]!;
    const { sessionId } = session.info;
    connection.list = paged([listed(sessionId, { title: 'After the turn' })]);
    session.turns.submit(draft('hi'));
    await until(() => connection.prompts.length === 1);
    connection.prompts[0]!.resolve('end_turn');
    await until(() => list.find(sessionId)?.title === 'After the turn');
  });

  it('CLOSE-6: stay after being closed only if the agent lists them', async () => {
    const made = sessionBench((connection) => {
      connection.list = paged([]);
    });
    const list = made.agent.lists.of(folder);
    await list.load();
    const [first, second] = [
      await made.sessions.create(made.agent, folder),
      await made.sessions.create(made.agent, folder),
    ];
    made.connections[0]!.list = paged([listed(first.info.sessionId)]);
    await first.close();
    await second.close();
    await until(() => list.rows.length === 1);
    assert.deepEqual(ids(list), [first.info.sessionId]);
  });

  it('CLOSE-6: stay after being closed if the agent lists them, but not yet in the answer that is on its way', async () => {
    const before = deferred<SessionPage>();
    const made = sessionBench((connection) => {
      connection.list = () => before.promise;
    });
    const session = await made.sessions.create(made.agent, folder);
    const list = made.agent.lists.of(folder);
    const loaded = list.load();
    await until(() => made.connections[0]!.queries.length === 1);
    made.connections[0]!.list = paged([listed(session.info.sessionId)]);
    await session.close();
    before.resolve({ sessions: [] });
    await loaded;
    await until(() => ids(list).join() === session.info.sessionId);
  });
});
