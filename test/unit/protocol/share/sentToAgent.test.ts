import assert from 'node:assert/strict';
import type { Json } from '../../../fakeAgent/scenario';
import { until } from '../../../support/until';
import { SharedBench } from './sharedBench';
import { elsewhere, folder, listed } from './sharedPeers';

describe('between a client and an agent that is shared', () => {
  const bench = SharedBench.ofSuite();
  const { share, codeOf, sentToAgent, settled } = bench;

  describe('the agent gets', () => {
    const forbidden = [
      'authenticate',
      'logout',
      'auth/login',
      // SEC-163
      'auth/logout',
      'auth/status',
      // SEC-163
      'providers/set',
      'Logout',
      'LOGOUT',
      'session/Load',
      // SEC-163
      '_own/logout',
      'mcp/message',
    ];
    for (const method of forbidden) {
      it(`no ${method} of a client`, async () => {
        await share(method.startsWith('auth/') ? 2 : 1);
        assert.equal(
          codeOf(await bench.client.ask(method, { methodId: 'm', sessionId: listed })),
          -32601,
        );
        bench.client.send({ method, params: {} });
        await settled();
        assert.deepEqual(sentToAgent(method), []);
      });
    }

    const program = { name: 'own', command: '/bin/sh', args: ['-c', 'evil'], env: [] };
    const smuggled: readonly (readonly [string, Json])[] = [
      // SEC-162
      ['folders in another case', { CWD: '/evil', Cwd: '/evil', ADDITIONALDIRECTORIES: ['/evil'] }],
      [
        // SEC-162
        'letters that fold to others',
        { 'additionalDirectorie\u017f': ['/evil'], 'mcp\u017fervers': [program] },
      ],
      ['MCP servers in another case', { McpServers: [program], mcpservers: [program] }],
      ['a session in another case', { SessionId: 'evil', sessionid: 'evil', sessionID: 'evil' }],
      ['`_meta` in another case', { _META: { options: 'evil' }, _Meta: { options: 'evil' } }],
      ['anything else', { instructions: 'evil', workspaceRoots: ['/evil'], env: { A: 'evil' } }],
      [
        // SEC-162
        'a server in another case',
        {
          mcpServers: [
            {
              type: 'http',
              name: 'a',
              url: 'http://a',
              headers: [],
              Type: 'stdio',
              Command: 'evil',
            },
          ],
        },
      ],
      [
        '`_meta` further down',
        {
          mcpServers: [
            { type: 'http', name: 'a', url: 'http://a', headers: [], _meta: { evil: 1 } },
          ],
        },
      ],
    ];
    for (const [what, more] of smuggled) {
      for (const method of [
        'session/new',
        'session/load',
        'session/fork',
        'session/prompt',
        'session/list',
      ]) {
        it(`no ${what}, with ${method}`, async () => {
          await share(1, (peer) => peer.answer(method, () => ({ sessions: [] })));
          await bench.client.ask('session/list');
          const params = { sessionId: listed, cwd: folder, prompt: [{ type: 'text', text: 'hi' }] };
          const answer = await bench.client.ask(method, { ...params, ...(more as object) });
          assert.ok('result' in answer, JSON.stringify(answer));
          assert.ok(
            !JSON.stringify(bench.agent.received).includes('evil'),
            JSON.stringify(bench.agent.received),
          );
        });
      }
    }

    it('V2-NEW-4: a client’s text for the system prompt, and nothing else in it', async () => {
      await share(1, (peer) => peer.answer('session/new', () => ({ sessionId: 'new' })));
      const ask = (systemPrompt: Json) =>
        bench.client.ask('session/new', { cwd: folder, systemPrompt });
      const content = [{ type: 'text', text: 'Answer briefly', cwd: '/evil' }];
      await ask({ mode: 'append', content, env: { A: 'evil' } });
      await ask(null);
      const sent = sentToAgent('session/new').map(
        (message) => (message['params'] as { systemPrompt?: Json }).systemPrompt,
      );
      assert.deepEqual(sent, [
        { mode: 'append', content: [{ type: 'text', text: 'Answer briefly' }] },
        null,
      ]);
      for (const malformed of [
        'evil',
        { mode: 'other', content },
        { mode: 'append', content: 'evil' },
        { mode: 'append', content: [{ type: 'resource_link', uri: 'file:///evil' }] },
      ]) {
        assert.equal(codeOf(await ask(malformed)), -32602);
      }
      assert.equal(sentToAgent('session/new').length, 2);
    });

    it('SEC-240: the first values of options, and nothing else in them', async () => {
      await share(1, (peer) =>
        peer
          .answer('session/new', () => ({ sessionId: 'new' }))
          .answer('session/options', () => ({ configOptions: [] })),
      );
      const told = await bench.client.ask('session/options', { cwd: folder, sessionId: elsewhere });
      assert.deepEqual(told['result'], { configOptions: [] });
      assert.deepEqual(sentToAgent('session/options')[0]?.['params'], { cwd: folder });
      assert.equal(codeOf(await bench.client.ask('session/options', { cwd: '/evil' })), -32602);
      const ask = (configOptions: Json) =>
        bench.client.ask('session/new', { cwd: folder, configOptions });
      const first = { configId: 'model', value: 'oak' };
      await ask([
        { ...first, env: { A: 'evil' } },
        { configId: 'web', type: 'boolean', value: true },
      ]);
      assert.deepEqual(
        (sentToAgent('session/new')[0]?.['params'] as { configOptions?: Json }).configOptions,
        [first, { configId: 'web', type: 'boolean', value: true }],
      );
      for (const malformed of [
        ...['evil', first, [{ ...first, value: { cwd: '/evil' } }], [{ value: 'oak' }]],
        ...[[{ ...first, type: 7 }], Array.from({ length: 201 }, () => first)],
      ]) {
        assert.equal(codeOf(await ask(malformed)), -32602);
      }
      assert.equal(sentToAgent('session/new').length, 1);
    });

    it('SEC-162: no params without names', async () => {
      await share();
      for (const params of [[{ cwd: '/evil' }], ['/evil'], [], 'evil', 7, true]) {
        assert.equal(codeOf(await bench.client.ask('session/new', params)), -32602);
      }
      bench.client.send({ method: 'session/cancel', params: [elsewhere] });
      await settled();
      assert.deepEqual(bench.agent.methods(), ['initialize', 'session/list']);
    });

    it('SEC-160: nothing about a session that isn’t named', async () => {
      await share();
      for (const method of ['session/prompt', 'session/close', 'session/load', 'session/status']) {
        for (const sessionId of [undefined, null, 7, [listed], { id: listed }]) {
          assert.equal(codeOf(await bench.client.ask(method, { cwd: folder, sessionId })), -32602);
        }
        assert.deepEqual(sentToAgent(method), []);
      }
    });

    it('SEC-168: no id of a session of twice the bytes that one may have, nor does the client', async () => {
      const long = 'é'.repeat(8192);
      const rows = [long, '', listed].map((sessionId) => ({ sessionId, cwd: folder }));
      await share(1, (peer) => peer.answer('session/list', () => ({ sessions: rows })));
      const { result } = await bench.client.ask('session/list');
      assert.deepEqual(result, { sessions: rows.slice(2) });
      assert.equal(codeOf(await bench.client.ask('session/close', { sessionId: long })), -32602);
      bench.agent.update(long, {});
      await settled();
      assert.deepEqual(bench.client.updates(long), []);
      assert.ok(!JSON.stringify(bench.agent.received).includes(long));
    });

    it('SEC-164: of `_meta`, also further down, only what is known', async () => {
      await share(1, (peer) => peer.answer('session/prompt', () => ({ stopReason: 'end_turn' })));
      const block = { type: 'text', text: 'hi', _meta: { options: 'evil' }, _META: 'evil' };
      await bench.client.ask('session/prompt', { sessionId: listed, prompt: [block] });
      assert.deepEqual(sentToAgent('session/prompt')[0]?.['params'], {
        sessionId: listed,
        prompt: [{ type: 'text', text: 'hi' }],
      });
    });

    it('SEC-162: of `initialize` what the same checks let through', async () => {
      await share();
      const other = await bench.peers.client().open();
      const caps = {
        ...{ elicitation: { form: {} }, subagents: {}, session: { _meta: 'evil' } },
        ...{ Terminal: 'evil', FS: 'evil', fs: 'evil', auth: 'evil', mcp: 'evil' },
        _meta: { terminal_output: true, 'terminal-auth': 'evil' },
      };
      await other.ask('initialize', {
        ...{ protocolVersion: 1, ProtocolVersion: 'evil', clientCapabilities: caps },
        ...{ ClientCapabilities: 'evil', cwd: '/evil', sessionId: 'evil', env: 'evil' },
        ...{
          mcpServers: [program],
          clientInfo: { name: 'c', version: '1', title: { cwd: 'evil' }, more: 'evil' },
          _meta: { own: 'evil' },
        },
      });
      assert.deepEqual(bench.peers.agents[1]?.received[0]?.['params'], {
        protocolVersion: 1,
        clientCapabilities: {
          ...{ elicitation: { form: {} }, subagents: {}, session: {} },
          _meta: { terminal_output: true },
        },
        clientInfo: { name: 'c', version: '1' },
      });
    });

    it('SEC-158: nothing before `initialize`, whatever is wrong with the first message', async () => {
      await share();
      const place = { cwd: folder, additionalDirectories: ['/evil'] };
      const messages = [
        ...forbidden.map((method) => ({ id: 1, method, params: {} })),
        ...[place, { cwd: folder, mcpServers: [program] }, { mcpServers: 7 }, [place]].map(
          (params) => ({ id: 1, method: 'session/new', params }),
        ),
      ];
      for (const message of messages) {
        const other = await bench.peers.client().open();
        other.send(message);
        await until(() => other.ended !== undefined);
        assert.equal(other.ended?.code, 1008, JSON.stringify(message));
      }
      assert.equal(bench.peers.agents.length, 1);
    });

    for (const [what, message] of [
      ['without an id', { method: 'initialize', params: { protocolVersion: 1 } }],
      ['with params without names', { id: 1, method: 'initialize', params: [1, { fs: {} }] }],
    ] as const) {
      it(`no \`initialize\` ${what}, which ends the connection`, async () => {
        await share();
        const other = await bench.peers.client().open();
        other.send(message);
        await until(() => other.ended !== undefined);
        assert.equal(other.ended?.code, 1008);
        assert.equal(bench.peers.agents.length, 1);
      });
    }
  });
});
