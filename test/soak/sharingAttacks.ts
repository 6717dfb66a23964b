import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isSharedFolder } from '../../src/features/sharing/model/sharedFolders';
import { isInside } from '../../src/model/files/roots';
import { realPath } from '../../src/platform/files/realPath';
import { deferred } from '../../src/util/async';
import { until } from '../support/until';
import {
  elsewhere,
  folder,
  listed,
  type SharedPeers,
  type SharePeersOptions,
  sharePeers,
} from '../unit/protocol/share/sharedPeers';
import type { Check, CheckRun } from './check';
import type { Random } from './random';

/** A check on an agent that is shared. */
function sharing(
  name: string,
  run: (shared: SharedPeers, run: CheckRun) => Promise<string>,
  options: SharePeersOptions = {},
): Check {
  return {
    name,
    run: async (how) => {
      const shared = await sharePeers(options);
      try {
        return await run(shared, how);
      } finally {
        await shared.server.stop();
      }
    },
  };
}

/** Attacks on an agent that is shared, with and without its token. */
export const sharingAttacks: readonly Check[] = [
  sharing('connections without a token to a shared agent', async ({ server, client }, run) => {
    const { random, size } = run;
    const begun = { silent: 0, wrong: 0, half: 0 };
    const sockets = new Set<net.Socket>();
    const one = await (await client().open()).initialize();
    for (let round = 0; round < size(40, 4); round++) {
      for (let count = 0; count < 100; count++) {
        const kind = random.pick(['silent', 'wrong', 'half'] as const);
        begun[kind] += 1;
        if (kind === 'wrong') {
          client(`Bearer ${random.next()}`);
          continue;
        }
        const socket = net.connect(Number(server.url.port), '127.0.0.1');
        socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
        sockets.add(socket);
        if (kind === 'half') {
          socket.write('GET /acp HTTP/1.1\r\nHost: localhost\r\n');
        }
      }
      await until(() => sockets.size <= 64);
      const other = await (await client().open()).initialize();
      other.socket.close();
      await until(() => server.clients.length === 1);
    }
    assert.ok('result' in (await one.ask('session/list')));
    for (const socket of sockets) {
      socket.destroy();
    }
    return `${begun.silent} silent, ${begun.half} half, ${begun.wrong} with a wrong token`;
  }),
  sharing(
    'messages of a client of a shared agent',
    async ({ agents, client }, { random, size }) => {
      const one = await (await client().open()).initialize();
      await one.ask('session/list');
      const count = size(20_000, 500);
      for (let sent = 0; sent < count; sent++) {
        one.send(hostileMessage(random));
        if (sent % 100 === 0) {
          await one.ask('session/list');
        }
      }
      await one.ask('session/list');
      const received = agents[0]?.received ?? [];
      const text = JSON.stringify(received);
      assert.ok(!text.includes('evil'), text.slice(text.indexOf('evil') - 200).slice(0, 300));
      assert.ok(!/authenticate|logout|providers/i.test(text), 'signed out');
      const ids = received.flatMap(({ id, method }) => (id !== undefined && method ? [id] : []));
      assert.ok(ids.every((id) => typeof id === 'number'));
      assert.equal(new Set(ids).size, ids.length);
      return `${received.length} of ${count} have reached the agent`;
    },
  ),
  sharing('messages of a shared agent', async ({ agents, client }, { random, size }) => {
    const one = await (await client().open()).initialize();
    await one.ask('session/list');
    const [agent] = agents;
    const count = size(50_000, 1000);
    for (let sent = 0; sent < count; sent++) {
      agent?.send(strayMessage(random));
      if (sent % 100 === 0) {
        await one.ask('session/list');
      }
    }
    await one.ask('session/list');
    const text = JSON.stringify(one.received);
    assert.ok(!text.includes('foreign'), text.slice(text.indexOf('foreign') - 200).slice(0, 300));
    return `${one.received.length} of ${count} have reached the client`;
  }),
  sharing('lists of a shared agent', async ({ agents, client }, { random, size }) => {
    const one = await (await client().open()).initialize();
    const [agent] = agents;
    agent?.answer('session/list', ({ id }) => {
      agent.send({ jsonrpc: '2.0', id, ...strayList(random) });
      const method = random.pick(['session/list_changed', '_session/list_changed']);
      agent.send({ jsonrpc: '2.0', method, params: { sessions: ['foreign'] }, more: 'foreign' });
      return undefined;
    });
    const count = size(10_000, 300);
    const ids = [elsewhere, 'foreign', ''];
    for (let asked = 0; asked < count; asked++) {
      const sessionId = random.pick(ids);
      const { result } = await (sessionId === ''
        ? one.ask('session/list')
        : one.ask('session/prompt', { sessionId, prompt: [] }));
      assert.ok(sessionId === '' || result === undefined, 'a session elsewhere is used');
    }
    const text = JSON.stringify(one.received);
    assert.ok(!text.includes('foreign'), text.slice(text.indexOf('foreign') - 200).slice(0, 300));
    return `${count} answers`;
  }),
  sharing('subagents of a shared agent', async ({ agents, client }, { random, size }) => {
    const one = await (await client().open()).initialize();
    const [agent] = agents;
    const rows = [
      { sessionId: listed, cwd: folder },
      ...Array.from({ length: 20 }, (_, index) => ({ sessionId: `in${index}`, cwd: folder })),
      ...Array.from({ length: 20 }, (_, index) => ({ sessionId: `foreign${index}`, cwd: '/else' })),
    ];
    const ids = [...rows.map(({ sessionId }) => sessionId), 'nowhere1', 'nowhere2'];
    agent?.answer('session/list', ({ params }) => {
      const start = Number((params as { cursor?: string }).cursor ?? 0);
      const end = start + 1 + random.below(20);
      const sessions = rows.slice(start, end);
      return end < rows.length ? { sessions, nextCursor: `${end}` } : { sessions };
    });
    const count = size(5000, 300);
    for (let round = 0; round < count; round++) {
      const named = { sessionUpdate: 'subagent_update', sessionId: random.pick(ids) };
      agent?.update(listed, named);
      one.send({ method: 'session/cancel', params: { sessionId: random.pick(ids) } });
      if (round % 20 === 0) {
        await one.ask('session/list');
      }
    }
    await one.ask('session/list');
    const used = (agent?.received ?? []).filter(({ method }) => method === 'session/cancel');
    assert.ok(used.length > 0);
    assert.ok(!JSON.stringify(used).includes('foreign'), 'a session elsewhere is used');
    return `${used.length} of ${count} have reached the agent`;
  }),
  sharing(
    'clients that leave while a shared agent starts',
    async ({ server, client }, { random, size }) => {
      const rounds = size(20, 1);
      for (let round = 0; round < rounds; round++) {
        const clients = await Promise.all(Array.from({ length: 8 }, () => client().open()));
        for (const one of clients) {
          one.send({ id: 0, method: 'initialize', params: { protocolVersion: 1 } });
          for (let more = random.pick([0, 1, 2000]); more > 0; more--) {
            one.send({ id: more, method: 'session/list' });
          }
        }
        for (const { socket } of clients) {
          await setImmediate();
          socket.terminate();
        }
        await until(() => server.clients.length === 0);
      }
      return `${8 * rounds} clients have left their places`;
    },
    {
      quietMs: 200,
      start: (gone) =>
        new Promise((_, reject) =>
          gone.addEventListener('abort', () => reject(gone.reason as Error)),
        ),
    },
  ),
  sharing(
    'clients of a shared agent that don’t read',
    async ({ server, client }, { random, size }) => {
      const clients = await Promise.all(
        Array.from({ length: 4 }, async () => (await client().open()).initialize()),
      );
      const id = 'i'.repeat(1000);
      for (const { socket } of clients) {
        socket.pause();
      }
      const count = size(80_000, 4000);
      for (let sent = 0; sent < count; sent++) {
        random.pick(clients).send({ id: `${id}${sent}`, method: 'unknown' });
        if (sent % 100 === 0) {
          await setImmediate();
        }
      }
      await until(() => server.clients.length === 0);
      return `${clients.length} clients were cut off`;
    },
    { quietMs: 200 },
  ),
  sharing(
    'what others tell a client whose agent doesn’t read',
    async ({ agents, client, sessions }, { size }) => {
      const one = await (await client().open()).initialize();
      await one.ask('session/list');
      const [agent] = agents;
      assert.ok(agent);
      const taken = deferred<undefined>();
      agent.client.write = () => taken.promise;
      agent.send({ jsonrpc: '2.0', id: 7, method: 'fs/read_text_file', params: {} });
      const other = { openElsewhere: () => 0, heard: () => 0, listChanged: () => 0 };
      sessions.join(other);
      await setImmediate();
      const count = size(8000, 200);
      for (let said = 0; said < count; said++) {
        const title = `${said}`.padEnd(60_000, 'x');
        sessions.pass(other, listed, { sessionUpdate: 'session_info_update', title });
      }
      Reflect.deleteProperty(agent.client, 'write');
      taken.resolve(undefined);
      await one.ask('session/list');
      const told = one.updates(listed).length;
      assert.ok(told > 0 && told <= 18, `${told} were held`);
      return `${told} of ${count} were held`;
    },
  ),
  sharing(
    'tokens that are replaced while messages are looked at',
    async ({ server, agents, client }, { random, size }) => {
      const rounds = size(1000, 30);
      let passed = 0;
      for (let round = 0; round < rounds; round++) {
        const one = await client(`Bearer ${server.newToken()}`).open();
        await one.initialize();
        const agent = agents.at(-1);
        for (let sent = random.below(20); sent >= 0; sent--) {
          one.send({ id: sent, method: 'session/new', params: { cwd: folder } });
        }
        for (let turns = random.below(20); turns > 0; turns--) {
          await setImmediate();
        }
        server.newToken();
        // What the agent was sent before arrives in this turn.
        await Promise.resolve();
        const before = agent?.received.length ?? 0;
        await until(() => server.clients.length === 0);
        assert.equal(agent?.received.length, before, 'a message has passed after the end');
        passed += before - 1;
      }
      return `${passed} messages passed before ${rounds} ends, and none after`;
    },
    { mayUse: async (asked) => (await setImmediate(), asked === folder) },
  ),
  {
    name: 'folders that a client of a shared agent names',
    run: async ({ random, size }) => {
      const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-soak-')));
      try {
        const project = path.join(base, 'project');
        mkdirSync(path.join(project, 'below', 'deep'), { recursive: true });
        mkdirSync(path.join(base, 'secret', 'deep'), { recursive: true });
        symlinkSync(path.join(base, 'secret', 'deep'), path.join(project, 'out'), 'junction');
        symlinkSync(path.join(project, 'below', 'deep'), path.join(project, 'in'), 'junction');
        const workspace = { folders: [{ name: 'project', path: project }] };
        const names = ['below', 'deep', 'out', 'in', '..', '.', '', 'new', '...', 'project'];
        const count = size(20_000, 500);
        let shared = 0;
        for (let round = 0; round < count; round++) {
          const segments = Array.from({ length: 1 + random.below(5) }, () => random.pick(names));
          const asked = [project, ...segments].join('/');
          if (await isSharedFolder(asked, workspace, realPath)) {
            shared += 1;
            // As the system reads it, and as a program does that only looks at the text.
            for (const read of [asked, path.resolve(asked)]) {
              const real = await realPath(read);
              assert.ok(real === undefined || isInside(real, [project]), `${asked} is ${real}`);
            }
          }
        }
        assert.ok(shared > 0);
        return `${shared} of ${count} folders are shared`;
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    },
  },
];

/** An answer to `session/list`, or a notification about it, that says "foreign" wherever there is room. */
function strayList(random: Random): object {
  const stray = random.pick<unknown>(['foreign', { title: 'foreign' }, [{ title: 'foreign' }]]);
  const rows = [
    { sessionId: listed, cwd: folder },
    { sessionId: elsewhere, cwd: '/elsewhere', title: 'foreign' },
    { sessionId: 'foreign', cwd: folder, additionalDirectories: ['/elsewhere'] },
  ];
  const sessions = random.pick<unknown>([rows, { 0: rows[1] }, stray, null]);
  return random.pick<object>([
    { result: stray },
    { result: { sessions, nextCursor: { stray }, more: stray, _meta: { stray } } },
    { result: { sessions }, error: stray, more: stray },
    { error: { code: 1, message: '', data: stray, stray } },
    { error: stray },
  ]);
}

/** A member's name with the case of some letters changed, or with one that folds to it. */
function inAnotherCase(name: string, random: Random): string {
  const changed = name.replace(/\w/g, (letter) => {
    const other = letter === 's' ? '\u017f' : letter.toUpperCase();
    return random.chance(0.3) ? other : letter;
  });
  return changed === name ? name.toUpperCase() : changed;
}

/** What no agent that is shared may get contains "evil", or is a method of signing in and out. */
function hostileMessage(random: Random): object {
  const method = random.pick([
    ...['session/new', 'session/load', 'session/prompt', 'session/list', 'session/cancel'],
    ...['authenticate', 'logout', 'Logout', 'auth/logout', 'providers/set', '_own/logout'],
  ]);
  const program = { name: 'a', command: 'evil', args: [], env: [] };
  const hidden = {
    ...{ type: 'http', name: 'a', url: 'http://a' },
    Command: 'evil',
    Args: ['evil'],
  };
  const own: Record<string, unknown> = {
    sessionId: listed,
    cwd: folder,
    prompt: [],
    mcpServers: [],
  };
  const wrong = [
    ...[{ cwd: '/evil' }, { additionalDirectories: ['/evil'] }, { sessionId: 'evil' }],
    ...[{ mcpServers: [program] }, { mcpServers: [hidden] }, { _meta: { options: 'evil' } }],
    ...[{ env: { A: 'evil' } }, { prompt: [{ type: 'text', text: '', _Meta: 'evil' }] }],
  ];
  const added = random.pick<Record<string, unknown>>(wrong);
  const params = random.chance(0.5)
    ? { ...own, ...added }
    : {
        ...own,
        ...Object.fromEntries(
          Object.keys(added).map((name) => [inAnotherCase(name, random), 'evil']),
        ),
      };
  const id = random.pick<unknown>([1, '1', null, 'x', random.below(1000), `${random.next()}`]);
  return random.pick<object>([
    { id, method, params },
    { method, params },
    { id, method, params: [params, 'evil'] },
    { id, method, [inAnotherCase('params', random)]: 'evil', params: own },
    { id: random.below(50), result: { outcome: 'evil' } },
    { method: '$/cancel_request', params: { requestId: random.below(50), more: 'evil' } },
  ]);
}

/** What no client may get contains "foreign". */
function strayMessage(random: Random): object {
  const sessionId = random.pick<unknown>([elsewhere, 'foreign', 7, null, '', [listed]]);
  const content = { type: 'text', text: 'foreign' };
  const update = {
    ...{ sessionUpdate: random.pick(['agent_message_chunk', 'subagent_update', 'state_update']) },
    ...{ content, sessionId: listed },
  };
  const chunk = { sessionUpdate: 'session_message_chunk', senderSessionId: elsewhere, content };
  const message = random.pick<object>([
    { method: 'session/update', params: { sessionId, update } },
    { method: 'session/update', params: { sessionId: listed, update: chunk } },
    { id: random.below(20), method: 'session/request_permission', params: { sessionId, content } },
    { id: random.below(20), method: 'elicitation/create', params: { requestId: 'foreign' } },
    {
      id: `${random.next()}`,
      method: 'fs/write_text_file',
      params: { sessionId, path: 'foreign' },
    },
    { method: 'auth/status_update', params: { accounts: ['foreign'] } },
    { method: 'session/update', params: ['foreign'] },
    { id: random.below(100_000) + 100_000, result: { foreign: true } },
    { id: 'foreign', error: { code: 1, message: 'foreign' } },
  ]);
  return { jsonrpc: '2.0', ...message };
}
