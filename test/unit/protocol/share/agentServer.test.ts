import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { AgentServer, type AgentServerOptions } from '../../../../src/protocol/share/agentServer';
import { SharedSessions } from '../../../../src/protocol/share/sharedSessions';
import { ableInitialize, type Json, type Scenario, update } from '../../../fakeAgent/scenario';
import { isRunning, pidIn } from '../../../support/processes';
import { startedAgent } from '../../../support/startedAgent';
import { removeTemporary, temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';
import { TestLog } from '../peer';
import { Client, info, type Message } from './client';

describe('an agent that is shared', function () {
  this.timeout(20_000);
  const servers: AgentServer[] = [];
  let log: TestLog;
  let folder: string;
  let server: AgentServer;
  let token: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(temporaryFile('shared-'));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((own) => own.stop()));
  });
  after(removeTemporary);

  async function share(
    scenario: Scenario = {},
    options: Partial<AgentServerOptions> = {},
  ): Promise<void> {
    log = new TestLog();
    server = await AgentServer.listen({
      host: '127.0.0.1',
      sessions: new SharedSessions(),
      mayUse: (asked) => Promise.resolve(asked === folder || asked.startsWith(folder + path.sep)),
      start: () =>
        Promise.resolve(
          startedAgent({ initialize: ableInitialize, ...scenario }, { graceMs: 200 }),
        ),
      log,
      delayMs: 0,
      ...options,
    });
    servers.push(server);
    token = server.newToken();
  }

  function client(headers: Record<string, string> = {}, url = server.url): Client {
    return new Client(url, { authorization: `Bearer ${token}`, ...headers });
  }

  async function connected(protocolVersion?: number): Promise<Client> {
    return (await client().open()).initialize(protocolVersion);
  }

  describe('lets in', () => {
    const refusals: readonly (readonly [string, Record<string, string>, RegExp])[] = [
      ['no token', { authorization: '' }, /401/],
      ['a wrong token', { authorization: 'Bearer wrong' }, /401/],
      ['another scheme', { authorization: 'Basic abc' }, /401/],
      ['a page in a browser', { origin: 'http://127.0.0.1' }, /403/],
      ['a name that others can have point here', { host: 'evil.example' }, /403/],
    ];
    for (const [what, headers, status] of refusals) {
      it(`nobody with ${what}`, async () => {
        await share();
        await assert.rejects(client(headers).open(), status);
        assert.deepEqual(server.clients, []);
        assert.ok(!log.lines.join('\n').includes(token));
      });
    }

    it('nobody at another path, and answers no page', async () => {
      await share();
      await assert.rejects(client({}, new URL('/other', server.url)).open(), /404/);
      const page = await fetch(server.url.href.replace('ws:', 'http:'));
      assert.equal(page.status, 426);
    });

    it('nobody with a token from before, whose client it disconnects', async () => {
      await share();
      const first = await connected();
      server.newToken();
      await until(() => first.ended !== undefined && server.clients.length === 0);
      await assert.rejects(client().open(), /401/);
    });

    it('from an address with many wrong tokens only the right one, for a while', async () => {
      await share();
      for (let count = 0; count < 20; count++) {
        await assert.rejects(client({ authorization: 'Bearer wrong' }).open(), /401/);
      }
      await assert.rejects(
        client({ authorization: 'Bearer wrong' }).open(),
        /socket hang up|ECONNRESET/,
      );
      await (await client().open()).initialize();
      await assert.rejects(
        client({ authorization: 'Bearer wrong' }).open(),
        /socket hang up|ECONNRESET/,
      );
    });

    it('nobody who tries many tokens in requests that are wrong in other ways, too', async () => {
      await share();
      const wrong = { authorization: 'Bearer wrong' };
      const other = new URL('/other', server.url);
      const tries = [
        ...[() => client(wrong, other), () => client({ ...wrong, origin: 'http://127.0.0.1' })],
        () => client({ ...wrong, host: 'evil.example' }),
      ];
      for (let count = 0; count < 21; count += tries.length) {
        for (const again of tries) {
          await assert.rejects(again().open(), count < 18 ? /401/ : /401|hang up|ECONNRESET/);
        }
      }
      for (const again of tries) {
        await assert.rejects(again().open(), /socket hang up|ECONNRESET/);
      }
      await (await client().open()).initialize();
    });

    it('a client with the token, for which connections without one give way', async () => {
      await share();
      const one = await connected();
      let open = 0;
      const silent = Array.from({ length: 128 }, () => {
        const socket = net.connect(Number(server.url.port), '127.0.0.1', () => (open += 1));
        return socket.on('error', () => undefined).on('close', () => (open -= 1));
      });
      try {
        await until(() => silent.every((socket) => !socket.connecting) && open <= 64);
        await (await client().open()).initialize();
        assert.equal(server.clients.length, 2);
        assert.ok('result' in (await one.ask('session/list')));
      } finally {
        for (const socket of silent) {
          socket.destroy();
        }
      }
    });

    it('eight clients, and no ninth', async () => {
      await share();
      await Promise.all(Array.from({ length: 8 }, () => client().open()));
      await assert.rejects(client().open(), /503/);
      assert.equal(server.clients.length, 8);
    });

    it('a client through a tunnel, whose port is another one', async () => {
      await share();
      await client({ host: 'localhost:1234' }).open();
    });
  });

  it('listens at the port of the last time if that is free', async () => {
    await share();
    const port = Number(server.url.port);
    await share({}, { port });
    assert.notEqual(Number(server.url.port), port);
    await Promise.all(servers.splice(0).map((own) => own.stop()));
    await share({}, { port });
    assert.equal(Number(server.url.port), port);
  });

  it('hides the files and terminals of the client from the agent, which has its own', async () => {
    const record = temporaryFile('received');
    await share({ record });
    const one = await client().open();
    const clientCapabilities = {
      fs: { readTextFile: true },
      terminal: true,
      auth: { terminal: true },
      subagents: {},
    };
    await one.ask('initialize', { protocolVersion: 1, clientCapabilities });
    const [line = ''] = fs.readFileSync(record, 'utf8').split('\n');
    const { params } = JSON.parse(line) as { params: Message };
    assert.deepEqual(params['clientCapabilities'], { subagents: {} });
  });

  describe('in version 2 of the protocol', () => {
    const initialize = {
      protocolVersion: 2,
      info: { name: 'agent', version: '1' },
      capabilities: { session: { mcp: { stdio: {}, http: {} }, fork: {}, delete: {} } },
    };

    it('V2-INIT-9: offers no files, terminals or login of the client’s, whichever version’s members say so', async () => {
      const record = temporaryFile('received-2');
      await share({ record, initialize });
      const one = await client().open();
      const both = { fs: { readTextFile: true }, terminal: true, auth: { terminal: {} } };
      const { result } = await one.ask('initialize', {
        ...{ protocolVersion: 2, info },
        capabilities: { ...both, elicitation: { form: {} } },
        clientCapabilities: { ...both, subagents: {} },
      });
      assert.equal((result as Message)['protocolVersion'], 2);
      const [line = ''] = fs.readFileSync(record, 'utf8').split('\n');
      assert.deepEqual((JSON.parse(line) as { params: Message }).params, {
        ...{ protocolVersion: 2, info },
        capabilities: { elicitation: { form: {} } },
        clientCapabilities: { subagents: {} },
      });
    });

    for (const protocolVersion of [3, 2.5, 1e9, '2', null, [2]]) {
      it(`asks the agent for no version that isn’t known here, such as ${JSON.stringify(protocolVersion)}`, async () => {
        const record = temporaryFile('version');
        await share({ record, initialize });
        await (await client().open()).ask('initialize', { protocolVersion, info });
        const [line = ''] = fs.readFileSync(record, 'utf8').split('\n');
        assert.equal((JSON.parse(line) as { params: Message }).params['protocolVersion'], 2);
      });
    }

    const server = (type: string | undefined, rest: object = {}): Json => ({
      ...{ name: 'own', ...(type !== undefined && { type }), ...rest },
    });
    const program = { command: '/bin/sh', args: [], env: [{ name: 'A', value: 'b' }] };
    const servers2: readonly (readonly [string, Json, boolean])[] = [
      ['an MCP server elsewhere', server('http', { url: 'https://tools.example' }), true],
      ['one that is a program', server('stdio', program), false],
      ['a program without a type', server(undefined, program), false],
      [
        'a program that says it is elsewhere',
        server('http', { url: 'https://x', ...program }),
        false,
      ],
      ['one over the client', server('acp', { serverId: 's' }), false],
      ['one of an unknown type', server('_own', program), false],
    ];
    for (const [method, more] of [
      ['session/new', {}],
      ['session/fork', { sessionId: 's1' }],
      ['session/resume', { sessionId: 's1' }],
      ['session/resume', { sessionId: 's1', replayFrom: { type: 'start' } }],
    ] as const) {
      it(`keeps ${method} ${JSON.stringify(more)} to the folders and servers that are shared`, async () => {
        const sessions = [{ sessionId: 's1', cwd: folder }];
        const record = temporaryFile('kept-2');
        await share({ sessions, initialize, record });
        const one = await connected(2);
        const refused = async (params: object): Promise<boolean> => {
          const { error } = await one.ask(method, { ...more, ...params });
          return (error as { code?: number } | undefined)?.code === -32602;
        };
        assert.equal(await refused({ cwd: folder }), false);
        assert.equal(await refused({ cwd: '/etc' }), true);
        assert.equal(await refused({ cwd: folder, additionalDirectories: ['/etc'] }), true);
        for (const [what, mcpServer, isTaken] of servers2) {
          const isRefused = await refused({ cwd: folder, mcpServers: [mcpServer] });
          assert.equal(!isRefused, isTaken, what);
        }
        const received = fs.readFileSync(record, 'utf8');
        assert.ok(!received.includes('/etc') && !received.includes('/bin/sh'));
      });
    }

    it('keeps methods of version 2 to sessions that are shared', async () => {
      const foreign = { sessionId: 'out' };
      const methods = ['session/status', 'tool_call/cancel', 'terminal/cancel', 'session/archive'];
      const on = Object.fromEntries(methods.map((method) => [method, [{ result: {} }]]));
      const record = temporaryFile('foreign-2');
      await share({ initialize, record, on, sessions: [{ sessionId: 'out', cwd: '/' }] });
      const one = await connected(2);
      for (const method of [...methods, 'session/prompt', 'session/set_config_option']) {
        const { error } = await one.ask(method, foreign);
        assert.equal((error as { code: number } | undefined)?.code, -32602, method);
      }
      assert.ok(!fs.readFileSync(record, 'utf8').includes('"out"'));
    });

    it('V2-RPC-1: takes no batch from a client, which would bypass the checks', async () => {
      const record = temporaryFile('batch');
      await share({ initialize, record });
      const call = { jsonrpc: '2.0', id: 7, method: 'session/new', params: { cwd: '/etc' } };
      const one = await connected(2);
      one.socket.send(JSON.stringify([call]));
      await until(() => one.received.some(({ error }) => error !== undefined));
      assert.deepEqual(
        one.received.slice(1).map(({ id, error }) => [id, (error as { code: number }).code]),
        [[null, -32600]],
      );
      const first = await client().open();
      first.socket.send(JSON.stringify([{ ...call, method: 'initialize' }]));
      await until(() => first.ended !== undefined);
      assert.ok(!fs.readFileSync(record, 'utf8').includes('/etc'));
    });

    it('V2-RPC-1: passes the messages of the agent’s batch on one by one, each as it is alone', async () => {
      const rows = [
        { sessionId: 'in', cwd: folder },
        { sessionId: 'out', cwd: '/' },
      ];
      const batch: Json = [
        { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'in', update: {} } },
        { jsonrpc: '2.0', id: '$id', result: { sessions: rows } },
      ];
      await share({ initialize, on: { 'session/list': [{ send: batch }] } });
      const one = await connected(2);
      // Known from now on.
      await one.ask('session/list');
      const { result } = await one.ask('session/list');
      assert.deepEqual(result, { sessions: rows.slice(0, 1) });
      assert.deepEqual(one.updates('in'), [{}]);
      assert.ok(!JSON.stringify(one.received).includes('"out"'));
    });

    it('T-47: tells others that the list has changed when a turn ends, once', async () => {
      const state = (name: string): Json => ({ sessionUpdate: 'state_update', state: name });
      const prompt = [
        { update: state('running') },
        { result: { messageId: 'm' } },
        { update: state('idle') },
        { update: state('idle') },
        { update: state('running'), sessionId: 'out' },
        { update: state('idle'), sessionId: 'out' },
      ] as const;
      await share({ initialize, on: { 'session/prompt': prompt } });
      const [one, two] = [await connected(2), await connected(1)];
      const changes = (): number =>
        two.received.filter(({ method }) => method === 'session/list_changed').length;
      const { result } = await one.ask('session/new', { cwd: folder });
      await until(() => changes() === 1);
      await one.ask('session/prompt', { ...(result as object), prompt: [] });
      // One for the prompt that was taken, and one for its end.
      await until(() => changes() === 3);
      await one.ask('session/list');
      await two.ask('session/list');
      assert.equal(changes(), 3);
    });
  });

  describe('keeps its clients to what is shared', () => {
    const http = { type: 'http', name: 'web', url: 'https://tools.example', headers: [] };
    const program = { name: 'own', command: 'sh', args: [], env: [] };
    const calls: readonly (readonly [string, () => Json, boolean])[] = [
      ['the folder itself', () => ({ cwd: folder, mcpServers: [] }), true],
      ['a folder below', () => ({ cwd: path.join(folder, 'a'), mcpServers: [http] }), true],
      ['another folder', () => ({ cwd: '/', mcpServers: [] }), false],
      ['a folder whose name begins the same', () => ({ cwd: `${folder}x` }), false],
      ['a folder that is no text', () => ({ cwd: 7 }), false],
      ['another one besides', () => ({ cwd: folder, additionalDirectories: ['/'] }), false],
      ['folders that are no list', () => ({ cwd: folder, additionalDirectories: '/' }), false],
      ['an MCP server that is a program', () => ({ cwd: folder, mcpServers: [program] }), false],
      [
        'one with a type, too',
        () => ({ cwd: folder, mcpServers: [{ ...program, type: 'http' }] }),
        false,
      ],
    ];
    it('whatever the method', async () => {
      const sessions = [{ sessionId: 's1', cwd: folder }];
      await share({ sessions });
      const one = await connected();
      for (const method of ['session/new', 'session/load', 'session/resume', 'session/fork']) {
        for (const [what, params, isTaken] of calls) {
          const { error } = await one.ask(method, { sessionId: 's1', ...(params() as object) });
          const { code } = (error ?? {}) as { code?: number };
          assert.equal(code !== -32602, isTaken, `${method}: ${what}`);
        }
      }
    });

    it('with the rows of their folders only', async () => {
      const row = (sessionId: string, cwd: string): Json => ({ sessionId, cwd });
      await share({ sessions: [row('in', folder), row('out', '/'), row('no', '')] });
      const { result } = await (await connected()).ask('session/list');
      const { sessions } = result as { sessions: readonly Message[] };
      assert.deepEqual(
        sessions.map(({ sessionId }) => sessionId),
        ['in'],
      );
    });

    const withId = [
      ['session/load', (): Json => ({ cwd: folder })],
      ['session/resume', (): Json => ({ cwd: folder })],
      ['session/fork', (): Json => ({ cwd: folder })],
      ['session/prompt', (): Json => ({ prompt: [] })],
      ['session/close', (): Json => ({})],
      ['session/delete', (): Json => ({})],
      ['_session/steering', (): Json => ({ prompt: [] })],
    ] as const;
    for (const [method, params] of withId) {
      it(`${method} with sessions of their folders only`, async () => {
        const record = temporaryFile('foreign');
        const row = (sessionId: string, cwd: string): Json => ({ sessionId, cwd });
        await share({
          ...{ record, sessions: [row('in', folder), row('out', '/')] },
          on: { '_session/steering': [{ result: {} }] },
        });
        const one = await connected();
        for (const sessionId of ['out', 'never heard of', '']) {
          const { error } = await one.ask(method, { ...(params() as object), sessionId });
          assert.equal((error as { code: number } | undefined)?.code, -32602, sessionId);
        }
        const { error } = await one.ask(method, { ...(params() as object), sessionId: 'in' });
        assert.notEqual((error as { code: number } | undefined)?.code, -32602);
        assert.ok(!fs.readFileSync(record, 'utf8').includes('"out"'));
      });
    }

    it('with a session that a page further on names', async () => {
      const row = (sessionId: string): Json => ({ sessionId, cwd: folder });
      const pages = [
        [{ result: { sessions: [row('first')], nextCursor: '2' } }],
        [{ result: { sessions: [row('last')] } }],
      ];
      await share({ replays: { last: [{ result: {} }] }, on: { 'session/list': pages } });
      const one = await connected();
      const answer = await one.ask('session/load', { sessionId: 'last', cwd: folder });
      assert.ok('result' in answer, JSON.stringify(answer));
      assert.equal(one.received.length, 2, 'the answers that it asked for, and no others');
    });

    it('and reads a list without an end for a hundred pages', async () => {
      const record = temporaryFile('endless');
      await share({
        record,
        on: { 'session/list': [{ result: { sessions: [], nextCursor: '1' } }] },
      });
      const { error } = await (await connected()).ask('session/close', { sessionId: 's' });
      assert.equal((error as { code: number }).code, -32602);
      assert.equal(fs.readFileSync(record, 'utf8').match(/"session\/list"/g)?.length, 100);
    });

    it('and refuses what an agent doesn’t list in time', async () => {
      const on = { 'session/list': [{ waitForCancel: true as const }] };
      await share({ on }, { lookupMs: 50 });
      const { error } = await (await connected()).ask('session/close', { sessionId: 's' });
      assert.match((error as { message: string }).message, /as far as the agent lists them/);
    });

    it('who may stop a subagent, and hear nothing of sessions elsewhere', async () => {
      const prompt = [
        { update: { sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Child' } },
        { update: update.title('Not yours'), sessionId: 'out' },
        { update: { sessionUpdate: 'subagent_update', sessionId: 'other' }, sessionId: 'out' },
        { result: { stopReason: 'end_turn' } },
      ] as const;
      const sessions = new SharedSessions();
      await share({ on: { 'session/prompt': prompt } }, { sessions });
      const [one, two] = [await connected(), await connected()];
      const { result } = await one.ask('session/new', { cwd: folder, mcpServers: [] });
      await one.ask('session/prompt', { ...(result as object), prompt: [] });
      assert.deepEqual(
        ['child', 'other', 'out'].map((id) => sessions.isShared(id)),
        [true, false, false],
      );
      assert.deepEqual(two.updates('out'), []);
    });

    it('with nothing in _meta but where a fork ends and what steering does', async () => {
      const record = temporaryFile('meta');
      const sessions = [{ sessionId: 's1', cwd: folder }];
      await share({ record, sessions });
      const one = await connected();
      const options = { additionalDirectories: ['/'], executable: 'evil', env: { A: 'b' } };
      const fork = { version: 1, messageId: 'm1', more: 'evil' };
      await one.ask('session/list');
      await one.ask('session/fork', {
        ...{ sessionId: 's1', cwd: folder, mcpServers: [] },
        _meta: { claudeCode: { options }, jetbrains: { air: { fork, more: options } } },
      });
      await one.ask('session/load', {
        ...{ sessionId: 's1', cwd: folder, mcpServers: [] },
        _meta: { claudeCode: { options } },
      });
      const lines = fs.readFileSync(record, 'utf8');
      assert.ok(!lines.includes('evil') && !lines.includes('claudeCode'));
      assert.ok(lines.includes('"fork":{"version":1,"messageId":"m1"}'));
    });

    it('with what was checked, and not with a member that stands twice', async () => {
      const record = temporaryFile('twice');
      await share({ record });
      const one = await connected();
      const cwd = JSON.stringify(folder);
      one.socket.send(
        `{"jsonrpc":"2.0","id":9,"method":"session/new","params":{"cwd":"/","cwd":${cwd},"mcpServers":[]}}`,
      );
      await until(() => one.received.some(({ id }) => id === 9));
      assert.ok(!fs.readFileSync(record, 'utf8').includes('"cwd":"/"'));
    });
  });

  describe('answers', () => {
    const messages: readonly (readonly [string, string, number])[] = [
      ['what isn’t JSON', 'hello', -32700],
      ['a list of messages', '[]', -32600],
      [
        'an id that would be another one afterward',
        '{"jsonrpc":"2.0","id":1e30,"method":"x"}',
        -32600,
      ],
      ['what is nested twice as deep as it may be', deep(200), -32600],
      ['what is nested far deeper', deep(200_000), -32600],
    ];
    for (const [what, text, code] of messages) {
      it(`${what} with an error, and goes on`, async () => {
        await share();
        const one = await connected();
        one.socket.send(text);
        await until(() => one.received.some(({ error }) => error !== undefined));
        const { error } = one.received.at(-1) as { error: { code: number } };
        assert.equal(error.code, code);
        assert.ok('result' in (await one.ask('session/list')));
      });
    }
  });

  describe('ends a connection', () => {
    it('whose first message isn’t initialize, before anything was started', async () => {
      const pidFile = temporaryFile('not-started');
      await share({ pidFile });
      const one = await client().open();
      await one.ask('session/list');
      assert.equal(one.ended?.code, 1008);
      assert.ok(!fs.existsSync(pidFile));
    });

    it('that says nothing', async () => {
      await share({}, { quietMs: 30 });
      const one = await client().open();
      await until(() => one.ended !== undefined);
      assert.equal(one.ended?.code, 1008);
    });

    it('with a binary message', async () => {
      await share();
      const one = await connected();
      one.socket.send(new Uint8Array([1, 2, 3]));
      await until(() => one.ended !== undefined);
      assert.equal(one.ended?.code, 1003);
    });

    it('with a message of twice the limit, from either side', async () => {
      const sessions = [{ sessionId: 's', cwd: folder }];
      await share(
        { sessions, replays: { '*': [{ bigLine: 40_000 }] } },
        { maxMessageBytes: 10_000 },
      );
      const one = await connected();
      one.socket.send(`"${'x'.repeat(20_000)}"`);
      await until(() => one.ended !== undefined);
      assert.equal(one.ended?.code, 1009);
      const two = await connected();
      await two.ask('session/load', { sessionId: 's', cwd: folder });
      assert.equal(two.ended?.code, 1009);
    });

    it('with its process and all that this has started, in the middle of a turn', async () => {
      const [agent, child] = [temporaryFile('agent-pid'), temporaryFile('child-pid')];
      const prompt = [{ grandchild: child, ignoreTerm: true }, { waitForCancel: true as const }];
      const sessions = [{ sessionId: 's1', cwd: folder }];
      await share({ sessions, pidFile: agent, ignoreTerm: true, on: { 'session/prompt': prompt } });
      const one = await connected();
      one.socket.send(
        '{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}',
      );
      await until(() => fs.existsSync(child) && fs.readFileSync(child, 'utf8') !== '');
      one.socket.terminate();
      await until(() => !isRunning(pidIn(agent)) && !isRunning(pidIn(child)));
      await until(() => server.clients.length === 0);
    });

    it('when its agent has ended, after what that said last', async () => {
      const prompt = [{ update: update.agent('bye'), sessionId: 's1' }, { exit: 3 }];
      await share({
        sessions: [{ sessionId: 's1', cwd: folder }],
        on: { 'session/prompt': prompt },
      });
      const one = await connected();
      await one.ask('session/prompt', { sessionId: 's1', prompt: [] });
      assert.equal(one.ended?.code, 1011);
      assert.equal(one.updates('s1').length, 1);
    });

    it('and all others with the server, which waits for their processes', async () => {
      const pidFile = temporaryFile('stopped-pid');
      await share({ pidFile });
      const one = await connected();
      const { url } = server;
      await server.stop();
      assert.ok(!isRunning(pidIn(pidFile)));
      await until(() => one.ended !== undefined);
      await assert.rejects(client({}, url).open(), /ECONNREFUSED/);
    });
  });

  it('waits for a client that reads slowly, and holds little for it', async () => {
    const done = temporaryFile('generated');
    const much = { repeat: [{ bigLine: 1_000_000 }], times: 24 };
    const sessions = ['s', 't'].map((sessionId) => ({ sessionId, cwd: folder }));
    await share({ sessions, replays: { s: [much, { touch: done }], '*': [much] } });
    const one = await connected();
    one.socket.pause();
    one.socket.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 9,
        method: 'session/load',
        params: { sessionId: 's', cwd: folder },
      }),
    );
    // Long enough for all of it if nothing waited: the answer of another client comes after it.
    const two = await connected();
    await two.ask('session/load', { sessionId: 't', cwd: folder });
    assert.ok(!fs.existsSync(done));
    assert.equal(one.received.length, 1);
    one.socket.resume();
    await until(() => one.received.some(({ id }) => id === 9));
    assert.equal(one.updates('s').length, much.times);
  });

  describe('with two clients', () => {
    const live = (message: Message | undefined): unknown =>
      (message?.['_meta'] as { acpSessions?: Message } | undefined)?.acpSessions?.['openElsewhere'];

    it('T-47: tells one what the other has open, in the list and when that changes', async () => {
      await share({ sessions: [{ sessionId: 's1', cwd: folder, _meta: { own: 1 } }] });
      const [one, two] = [await connected(), await connected()];
      const rowOf = async (asking: Client): Promise<Message | undefined> => {
        const { result } = await asking.ask('session/list');
        return (result as { sessions: readonly Message[] }).sessions[0];
      };
      assert.equal(live(await rowOf(two)), undefined);
      await one.ask('session/load', { sessionId: 's1', cwd: folder, mcpServers: [] });
      await until(() => live(two.updates('s1').at(-1)) === true);
      const row = await rowOf(two);
      assert.equal(live(row), true);
      assert.equal((row?.['_meta'] as Message)['own'], 1);
      assert.equal(live(await rowOf(one)), undefined, 'it is open there itself');

      one.socket.close();
      await until(() => live(two.updates('s1').at(-1)) === false);
      assert.equal(live(await rowOf(two)), undefined);
    });

    it('T-47: passes on titles, and says that the list has changed', async () => {
      const prompt = [
        { update: update.title('A new title') },
        { update: update.agent('of no concern') },
        { result: { stopReason: 'end_turn' } },
      ];
      await share({ on: { 'session/prompt': prompt } });
      const [one, two] = [await connected(), await connected()];
      const { result } = await one.ask('session/new', { cwd: folder, mcpServers: [] });
      const { sessionId } = result as { sessionId: string };
      await one.ask('session/prompt', { sessionId, prompt: [] });
      const changes = (): number =>
        two.received.filter(({ method }) => method === 'session/list_changed').length;
      await until(() => changes() === 2);
      const kinds = two.updates(sessionId).map((said) => said['title'] ?? live(said));
      assert.deepEqual(kinds, [true, 'A new title']);
    });
  });
});

function deep(levels: number): string {
  const nested = '['.repeat(levels) + ']'.repeat(levels);
  return `{"jsonrpc":"2.0","id":9,"method":"session/list","params":{"cursor":${nested}}}`;
}
