import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { Json } from '../../../fakeAgent/scenario';
import { temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';
import { info, type Message } from './client';
import { SharingBench } from './sharingBench';

describe('an agent that is shared', function () {
  this.timeout(20_000);
  const bench = SharingBench.ofSuite();
  const { share, client, connected } = bench;

  describe('in version 2 of the protocol', () => {
    const initialize = {
      protocolVersion: 2,
      info: { name: 'agent', version: '1' },
      capabilities: { session: { mcp: { stdio: {}, http: {} }, fork: {}, delete: {} } },
    };

    it('V2-INIT-9, SEC-167: offers no files, terminals or login of the client’s, whichever version’s members say so', async () => {
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
      it(`SEC-161: asks the agent for no version that isn’t known here, such as ${JSON.stringify(protocolVersion)}`, async () => {
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
      ['one of the client', server('acp', { serverId: 's' }), true],
      ['one of the client, and a program, too', server('acp', program), false],
      ['one of an unknown type', server('_own', program), false],
    ];
    for (const [method, more] of [
      ['session/new', {}],
      ['session/fork', { sessionId: 's1' }],
      ['session/resume', { sessionId: 's1' }],
      ['session/resume', { sessionId: 's1', replayFrom: { type: 'start' } }],
    ] as const) {
      it(`SEC-161: keeps ${method} ${JSON.stringify(more)} to the folders and servers that are shared`, async () => {
        const sessions = [{ sessionId: 's1', cwd: bench.folder }];
        const record = temporaryFile('kept-2');
        await share({ sessions, initialize, record });
        const one = await connected(2);
        const refused = async (params: object): Promise<boolean> => {
          const { error } = await one.ask(method, { ...more, ...params });
          return (error as { code?: number } | undefined)?.code === -32602;
        };
        assert.equal(await refused({ cwd: bench.folder }), false);
        assert.equal(await refused({ cwd: '/etc' }), true);
        assert.equal(await refused({ cwd: bench.folder, additionalDirectories: ['/etc'] }), true);
        for (const [what, mcpServer, isTaken] of servers2) {
          const isRefused = await refused({ cwd: bench.folder, mcpServers: [mcpServer] });
          assert.equal(!isRefused, isTaken, what);
        }
        const received = fs.readFileSync(record, 'utf8');
        assert.ok(!received.includes('/etc') && !received.includes('/bin/sh'));
      });
    }

    it('SEC-161: keeps methods of version 2 to sessions that are shared', async () => {
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

    it('V2-RPC-1, SEC-161: takes no batch from a client, which would bypass the checks', async () => {
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

    it('V2-RPC-1, SEC-161: passes the messages of the agent’s batch on one by one, each as it is alone', async () => {
      const rows = [
        { sessionId: 'in', cwd: bench.folder },
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
      const { result } = await one.ask('session/new', { cwd: bench.folder });
      await until(() => changes() === 1);
      await one.ask('session/prompt', { ...(result as object), prompt: [] });
      // One for the prompt that was taken, and one for its end.
      await until(() => changes() === 3);
      await one.ask('session/list');
      await two.ask('session/list');
      assert.equal(changes(), 3);
    });
  });
});
