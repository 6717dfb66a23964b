import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { methods } from '@agentclientprotocol/sdk/unstable';
import { inProject } from '../../support/project';
import { until } from '../../support/until';
import { DemoWorld, history, TestClient } from './harness';

type Agent = ChildProcessByStdio<Writable, Readable, Readable>;

const program = inProject('dist/demoAgent.js');

describe('demo agent: the process', function () {
  this.timeout(30_000);
  const world = new DemoWorld();
  const agents: Agent[] = [];
  afterEach(async () => {
    for (const agent of agents.splice(0)) {
      if (agent.exitCode === null && agent.signalCode === null) {
        agent.kill('SIGKILL');
        await once(agent, 'exit');
      }
    }
    await world.dispose();
  });

  function start(...args: readonly string[]): Agent {
    const agent = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    agents.push(agent);
    return agent;
  }

  async function connect(agent: Agent): Promise<TestClient> {
    const input = Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>;
    const client = TestClient.connect(Writable.toWeb(agent.stdin), input, {});
    await client.initialize();
    return client;
  }

  async function run(
    ...args: readonly string[]
  ): Promise<{ code: number; out: string; err: string }> {
    const agent = start(...args);
    agent.stdin.end();
    const [out, err, [code]] = await Promise.all([
      text(agent.stdout),
      text(agent.stderr),
      once(agent, 'exit') as Promise<[number]>,
    ]);
    return { code, out, err };
  }

  it('TR-7: serves ACP and writes nothing else to stdout, also when it is sent noise', async () => {
    const agent = start('--store', await world.folder(), '--pace', '0');
    const request = { protocolVersion: 1, clientCapabilities: {} };
    agent.stdin.write('hello?\n[]\n');
    agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'nobody/knows' })}\n`);
    agent.stdin.end(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: request })}\n`,
    );
    const out = await text(agent.stdout);
    assert.ok(out.endsWith('\n'));
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: unknown });
    assert.ok(messages.every((message) => message.jsonrpc === '2.0'));
    assert.ok(messages.some((message) => message.id === 1));
  });

  it('TR-8: exits when stdin ends, also in the middle of a turn, and keeps what happened', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const agent = start('--store', store);
    const client = await connect(agent);
    const sessionId = await client.newSession(cwd);
    const turn = client.prompt(sessionId, '/slow 500').catch(() => 'gone');
    await until(() => client.received.some(({ update }) => update.sessionUpdate === 'tool_call'));
    const streamed = history(client.updates(sessionId));
    agent.stdin.end();
    const [code] = (await once(agent, 'exit')) as [number];
    assert.equal(code, 0);
    await turn;
    const replayed = history(await (await world.connect(store)).load(sessionId, cwd));
    assert.deepEqual(replayed.slice(1, streamed.length + 1), streamed);
  });

  it('a kill in the middle of writing loses nothing that a client has seen', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const agent = start('--store', store, '--pace', '0');
    const client = await connect(agent);
    const sessionId = await client.newSession(cwd);
    const turn = client.prompt(sessionId, '/long 100000').catch(() => 'gone');
    await until(() => client.received.length > 1000);
    agent.kill('SIGKILL');
    await once(agent, 'exit');
    await turn;
    const seen = history(client.updates(sessionId));
    const later = await connect(start('--store', store, '--pace', '0'));
    assert.deepEqual(await later.titles({ cwd }), [['/long 100000']]);
    const kept = history(await later.load(sessionId, cwd));
    assert.deepEqual(kept.slice(1, seen.length + 1), seen);
    assert.equal(await later.prompt(sessionId, 'Hello'), 'end_turn');
  });

  it('--page-size and --cleanup-days are heeded', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const day = 24 * 60 * 60 * 1000;
    const filler = await world.connect(store);
    world.time = Date.now() - 40 * day;
    await filler.prompted(cwd, 'forty days ago');
    world.time = Date.now() - 10 * day;
    await filler.prompted(cwd, 'ten days ago');
    await filler.prompted(cwd, 'ten days ago, too');

    const without = await connect(start('--store', store, '--page-size', '2'));
    assert.deepEqual(await without.titles(), [
      ['ten days ago, too', 'ten days ago'],
      ['forty days ago'],
    ]);
    const withDays = await connect(start('--store', store, '--cleanup-days', '30'));
    assert.deepEqual(await withDays.titles(), [['ten days ago, too', 'ten days ago']]);
  });

  it('wrong arguments: exit code 2, the reason and the usage on stderr, nothing on stdout', async () => {
    const store = await world.folder();
    for (const args of [
      [],
      ['--store'],
      ['--store', store, '--page-size', '0'],
      ['--store', store, '--cleanup-days', 'ten'],
      ['--store', store, '--what'],
      ['--store', store, 'extra'],
      ['--seed-sample', store],
    ]) {
      const { code, out, err } = await run(...args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(out, '');
      assert.match(err, /^demo agent: .+\n\nUsage:/);
    }
  });

  it('--seed-sample writes the history below its folder, and a second time changes nothing', async () => {
    const store = await world.folder();
    const cwd = await world.folder();
    const { code, out, err } = await run('--seed-sample', store, cwd);
    assert.deepEqual({ code, out, err }, { code: 0, out: '', err: '' });
    assert.deepEqual(await readdir(store), ['sessions']);
    assert.deepEqual(await readdir(cwd), []);
    const contents = async (): Promise<string[]> => {
      const names = (await readdir(path.join(store, 'sessions'))).sort();
      return Promise.all(names.map((name) => readFile(path.join(store, 'sessions', name), 'utf8')));
    };
    const before = await contents();
    assert.equal((await run('--seed-sample', store, cwd)).code, 0);
    assert.deepEqual(await contents(), before);
    const client = await connect(start('--store', store));
    const { sessions } = await client.request(methods.agent.session.list, { cwd });
    assert.equal(sessions.length, 20);
  });
});
