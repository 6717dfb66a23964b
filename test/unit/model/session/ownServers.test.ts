import assert from 'node:assert/strict';
import type { ServedSession } from '../../../../src/model/session/ownServers';
import type { GivenMcpServer, McpServer } from '../../../../src/protocol/agentConnection';
import { AcpError } from '../../../../src/protocol/errors';
import { until } from '../../../support/until';
import { config, session as info } from '../fakes';
import { replays, sessionBench } from '../sessionBench';

const users: McpServer = { type: 'stdio', name: 'mine', command: '/m', args: [], env: {} };
const folder = { name: 'w', path: '/w' };

/** Offers a server for each session, and says what became of it. */
function offering(made: ReturnType<typeof sessionBench>) {
  const offers: { name: string; taken: readonly string[]; session?: ServedSession; over?: true }[] =
    [];
  made.ownServers = {
    offer: ({ taken }) => {
      const offer: (typeof offers)[number] = { name: `own${offers.length}`, taken };
      offers.push(offer);
      return Promise.resolve({
        server: { type: 'http', name: offer.name, url: 'http://127.0.0.1:1/mcp', headers: {} },
        others: taken,
        isConnected: () => false,
        opened: (session) => {
          offer.session = session;
        },
        withdraw: () => {
          offer.over = true;
        },
      });
    },
    answer: (agentId, { serverId }) => Promise.resolve({ result: { agentId, serverId } }),
  };
  return {
    offers,
    open: () =>
      offers
        .filter(({ over }) => over !== true)
        .map(({ name, session }) => [name, session?.sessionId]),
  };
}

const names = (place: { readonly mcpServers: readonly GivenMcpServer[] } | undefined) =>
  place?.mcpServers.map(({ name }) => name);

describe('servers of our own for sessions', () => {
  it('a new session has one beside the user’s, until it is closed', async () => {
    const made = sessionBench();
    made.mcpServers = [users];
    const { offers, open } = offering(made);
    const session = await made.sessions.create(made.agent, folder);
    assert.deepEqual(names(made.connections[0]?.places[0]), ['own0', 'mine']);
    assert.deepEqual(offers[0]?.taken, ['mine']);
    assert.deepEqual(open(), [['own0', session.info.sessionId]]);
    assert.equal(offers[0].session?.cwd, '/w');
    await session.close();
    assert.deepEqual(open(), []);
  });

  it('SEC-190: a load, a resume and a fork get one each; only the newest of a session is good', async () => {
    const made = sessionBench((connection) => replays(connection, 'a'));
    const { open } = offering(made);
    const session = made.sessions.open(made.agent, info('x'));
    await session.load();
    assert.deepEqual(names(made.connections[0]?.loads[0]), ['own0']);
    await session.reload();
    assert.deepEqual(open(), [['own1', 'x']]);
    await made.sessions.resume(made.agent, info('y'));
    assert.deepEqual(names(made.connections[0]?.resumes[0]), ['own2']);
    const fork = await made.sessions.fork(made.agent, info('x'));
    await fork.load();
    assert.deepEqual(open().slice(0, 2), [
      ['own1', 'x'],
      ['own2', 'y'],
    ]);
    assert.deepEqual(open().at(-1)?.[1], fork.info.sessionId);
    assert.equal(open().length, 3);
  });

  it('it is withdrawn when the session can’t be opened, or its agent ends', async () => {
    const made = sessionBench((connection) => {
      connection.replay = () => Promise.reject(new AcpError('rpc', 'no'));
    });
    const { offers, open } = offering(made);
    await made.session.load();
    assert.equal(offers.length, 1);
    assert.deepEqual(open(), []);
    await made.sessions.create(made.agent, folder);
    assert.equal(open().length, 1);
    made.connections[0]!.die();
    await until(() => open().length === 0);
  });

  it('what prepares for a session sees which one it is, and when its agent has answered', async () => {
    let refuses = false;
    const asked: unknown[] = [];
    const made = sessionBench((connection) => {
      connection.replay = () => {
        asked.push(made.openings.at(-1)?.isPending);
        return refuses ? Promise.reject(new AcpError('rpc', 'no')) : Promise.resolve();
      };
    });
    const { sessionId } = (await made.sessions.create(made.agent, folder)).info;
    await made.session.load();
    refuses = true;
    await made.session.reload();
    assert.deepEqual(asked, [true, true]);
    const { id } = made.agent;
    assert.deepEqual(
      made.openings.map((opening) => [opening?.agentId, opening?.sessionId, opening?.isPending]),
      [
        [id, sessionId, false],
        [id, 's0', false],
        [id, 's0', false],
      ],
    );
  });

  it('SEC-290: an agent on another machine has one only while the user allows it, in a folder that is here, too', async () => {
    const made = sessionBench();
    const { offers, open } = offering(made);
    const asked: unknown[] = [];
    const own = made.ownServers!;
    made.ownServers = {
      ...own,
      offer: (to) => {
        asked.push([to.agentId, to.isElsewhere]);
        return own.offer(to);
      },
    };
    made.mcpServers = [users];
    const remote = {
      ...{ url: 'wss://build.example/acp', headers: {} },
      pathMappings: [{ theirs: '/srv', ours: '/w' }],
    };
    const allow = (more: { readonly usesEditorTools?: true }): void => {
      made.settings.set({ ...config(made.agent.id), remote, ...more });
    };
    const create = (cwd = '/w') =>
      made.sessions.create(made.agents.all[0]!, { name: 'w', path: cwd });
    allow({});
    await create();
    assert.deepEqual(offers, []);
    allow({ usesEditorTools: true });
    await create();
    await create('/[build.example]/root');
    assert.deepEqual(asked, [[made.agent.id, true]]);
    assert.equal(open().length, 1);
    assert.deepEqual(names(made.connections.at(-1)?.places[1]), ['own0']);
    const ask = () =>
      made.connections
        .at(-1)!
        .requests.mcpMessage(
          { serverId: 'own0', requestId: '1', method: 'ping' },
          new AbortController().signal,
        );
    assert.deepEqual(await ask(), { result: { agentId: made.agent.id, serverId: 'own0' } });
    allow({});
    await assert.rejects(ask(), /asks a server that it has not/);
  });

  it('SEC-193: it is told what the agent may read', async () => {
    const made = sessionBench();
    made.realPaths.set('/w', '/w').set('/w/a', '/w/a').set('/etc', '/etc').set('/etc/b', '/etc/b');
    const { offers } = offering(made);
    await made.sessions.create(made.agent, folder);
    const { session } = offers[0]!;
    assert.deepEqual(
      await Promise.all(
        ['/w/a', '/etc/b', '/w/../etc/b'].map(async (file) => session?.canRead(file)),
      ),
      [true, false, false],
    );
    assert.deepEqual([...((await session?.readable(['/w/a', '/etc/b'])) ?? [])], ['/w/a']);
  });
});
