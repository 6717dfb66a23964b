import assert from 'node:assert/strict';
import { until } from '../../../support/until';
import type { Raw } from '../peer';
import { SharedBench } from './sharedBench';
import { elsewhere, folder, listed } from './sharedPeers';

describe('between a client and an agent that is shared', () => {
  const bench = SharedBench.ofSuite();
  const { share, sentToAgent, settled } = bench;

  describe('of what the agent says', () => {
    const text = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } };
    const about = [
      ['an update', 'session/update', { update: text }],
      ['a title', 'session/update', { update: { sessionUpdate: 'session_info_update' } }],
      [
        'an update of a subagent',
        'session/update',
        { update: { sessionUpdate: 'subagent_update', sessionId: 'child' } },
      ],
      ['a notification of its own', '_own/notification', {}],
    ] as const;
    for (const [what, method, params] of about) {
      it(`SEC-166: ${what} is passed on if its session is shared only`, async () => {
        await share();
        await settled();
        for (const sessionId of [elsewhere, 'unheard of', 7, null, [listed], undefined, listed]) {
          bench.agent.send({ jsonrpc: '2.0', method, params: { ...params, sessionId } });
        }
        await settled();
        const passed = bench.client.received.filter((message) => message['method'] === method);
        assert.deepEqual(
          passed.map((message) => message['params']),
          [{ ...params, sessionId: listed }],
        );
      });
    }

    const requests: readonly (readonly [string, object])[] = [
      ['session/request_permission', { options: [] }],
      ['fs/read_text_file', { path: '/a' }],
      ['fs/write_text_file', { path: '/a', content: '' }],
      ['terminal/create', { command: 'ls' }],
      ['terminal/output', { terminalId: 't' }],
      ['elicitation/create', { message: '' }],
      ['_own/request', {}],
    ];
    for (const [method, params] of requests) {
      it(`SEC-166: the request ${method} is passed on if its session is shared, and refused otherwise`, async () => {
        await share();
        await settled();
        const refusals = [elsewhere, 'unheard of', 7, null, undefined];
        for (const [index, sessionId] of refusals.entries()) {
          bench.agent.send({
            jsonrpc: '2.0',
            id: `r${index}`,
            method,
            params: { ...params, sessionId },
          });
          const { error } = await bench.agent.message(({ id }) => id === `r${index}`);
          assert.ok(error !== undefined);
        }
        bench.agent.send({
          jsonrpc: '2.0',
          id: 'r',
          method,
          params: { ...params, sessionId: listed },
        });
        await settled();
        const passed = bench.client.received.filter((message) => message['method'] === method);
        assert.deepEqual(
          passed.map((message) => (message['params'] as Raw)['sessionId']),
          [listed],
        );
      });
    }

    it('SEC-166: a message from or to a session elsewhere isn’t passed on', async () => {
      await share(2);
      await settled();
      const message = {
        sessionUpdate: 'session_message_chunk',
        messageId: 'm',
        content: text.content,
      };
      const ends = [
        { senderSessionId: elsewhere },
        { recipientSessionId: elsewhere },
        { senderSessionId: 7 },
        { senderSessionId: listed, recipientSessionId: listed },
        { senderSessionId: null },
      ];
      for (const end of ends) {
        bench.agent.update(listed, { ...message, ...end });
      }
      await settled();
      assert.deepEqual(
        bench.client.updates(listed),
        ends.slice(3).map((end) => ({ ...message, ...end })),
      );
    });

    it('SEC-166: nothing about the owner’s accounts, or anything unknown, is passed on', async () => {
      await share();
      await settled();
      const said = [
        ['session/list_changed', {}],
        ['_session/list_changed', {}],
        ['elicitation/complete', { elicitationId: 'e' }],
        ['auth/status_update', { state: 'authenticated', accounts: [{ name: 'owner' }] }],
        ['proxy/successor', { method: 'session/update', params: { sessionId: elsewhere } }],
        ['_own/status', { sessions: [elsewhere] }],
        ['session/update', {}],
      ] as const;
      for (const [method, params] of said) {
        bench.agent.send({ jsonrpc: '2.0', method, params });
      }
      bench.agent.send({ jsonrpc: '2.0', method: '_own/positions', params: [elsewhere] });
      await settled();
      assert.deepEqual(
        bench.client.received.flatMap(({ method }) => method ?? []),
        said.slice(0, 3).map(([method]) => method),
      );
    });

    it('SEC-160: that the list has changed, or a question is over, says nothing of any session', async () => {
      await share();
      await settled();
      const secret = { title: 'Not yours', sessions: [{ sessionId: elsewhere }] };
      for (const method of ['session/list_changed', '_session/list_changed']) {
        bench.agent.send({ jsonrpc: '2.0', method, params: secret, more: secret });
        bench.agent.send({ jsonrpc: '2.0', method, params: [secret] });
      }
      const params = { ...secret, elicitationId: 'e' };
      bench.agent.send({ jsonrpc: '2.0', method: 'elicitation/complete', params });
      await settled();
      assert.ok(!JSON.stringify(bench.client.received).includes('Not yours'));
      assert.deepEqual(
        bench.client.received.slice(-2).flatMap((message) => message['params'] ?? []),
        [{ elicitationId: 'e' }],
      );
    });

    const hidden = [{ sessionId: elsewhere, cwd: '/elsewhere', title: 'Not yours' }];
    const row = { sessionId: listed, cwd: folder };
    const lists: readonly (readonly [string, Raw, Raw])[] = [
      ['a list in place of an object', { result: hidden }, { code: -32603 }],
      ['a text in place of an object', { result: 'Not yours' }, { code: -32603 }],
      ['neither result nor error', { result: null, error: 'Not yours' }, { code: -32603 }],
      [
        'an error with more than its words',
        { error: { code: -32000, message: 'Sign in', data: hidden } },
        { code: -32000, message: 'Sign in' },
      ],
      [
        'other members',
        { result: { sessions: [row], more: hidden, _meta: { hidden } }, error: hidden },
        { sessions: [row] },
      ],
      ['rows that are no list', { result: { sessions: { 0: hidden[0] } } }, { sessions: [] }],
      [
        'a cursor that is none',
        { result: { sessions: [row], nextCursor: hidden } },
        { sessions: [row] },
      ],
      [
        'a cursor',
        { result: { sessions: [row, ...hidden], nextCursor: '2' } },
        { sessions: [row], nextCursor: '2' },
      ],
    ];
    for (const [what, said, expected] of lists) {
      it(`SEC-160: an answer to \`session/list\` with ${what} says nothing of sessions elsewhere`, async () => {
        await share(1, (peer) =>
          peer.answer('session/list', ({ id }) => {
            peer.send({ jsonrpc: '2.0', id, ...said });
            return undefined;
          }),
        );
        const { result, error, jsonrpc, id, ...rest } = await bench.client.ask('session/list');
        assert.deepEqual([jsonrpc, typeof id, rest], ['2.0', 'number', {}]);
        const { message, ...answer } = (result ?? error) as Raw;
        assert.deepEqual({ ...answer, ...('message' in expected && { message }) }, expected);
        assert.ok(!JSON.stringify(bench.client.received).includes('Not yours'));
      });
    }

    it('SEC-166: a question about a request of the client names that, and one about no request is refused', async () => {
      await share();
      bench.client.send({ id: 'mine', method: 'session/new', params: { cwd: folder } });
      await until(() => sentToAgent('session/new').length === 1);
      const requestId = sentToAgent('session/new')[0]?.['id'];
      const ask = (id: string, about: unknown): void =>
        bench.agent.send({
          ...{ jsonrpc: '2.0', id, method: 'elicitation/create' },
          params: { requestId: about, mode: 'form', message: 'Which one?' },
        });
      for (const [id, wrong] of [
        ['w1', 'mine'],
        ['w2', 99_999],
        ['w3', null],
      ] as const) {
        ask(id, wrong);
        const { error } = await bench.agent.message((message) => message['id'] === id);
        assert.ok(error !== undefined);
      }
      ask('right', requestId);
      await until(() =>
        bench.client.received.some(({ method }) => method === 'elicitation/create'),
      );
      const asked = bench.client.received.filter(({ method }) => method === 'elicitation/create');
      assert.deepEqual(
        asked.map(({ params }) => (params as Raw)['requestId']),
        ['mine'],
      );
    });

    it('SEC-159: a request to an MCP server of the client is passed on, without what isn’t known in it', async () => {
      await share();
      await settled();
      const params = { serverId: 's', requestId: '1', method: 'tools/list', params: { a: 1 } };
      bench.agent.send({
        ...{ jsonrpc: '2.0', id: 'm', method: 'mcp/message' },
        params: { ...params, other: 'x' },
      });
      const isAsked = ({ method }: Raw): boolean => method === 'mcp/message';
      await until(() => bench.client.received.some(isAsked));
      assert.deepEqual(
        bench.client.received.filter(isAsked).map((message) => message['params']),
        [params],
      );
    });

    it('T-19, SEC-166: updates before the answer that names their session come with it, and no others', async () => {
      await share(1, (peer) =>
        peer.answer('session/new', () => {
          peer.update('begun', { ...text, n: 1 });
          peer.update('not begun', text);
          peer.update('begun', { ...text, n: 2 });
          return { sessionId: 'begun' };
        }),
      );
      const { result } = await bench.client.ask('session/new', { cwd: folder });
      assert.deepEqual(result, { sessionId: 'begun' });
      bench.agent.update('begun', { ...text, n: 3 });
      await settled();
      assert.deepEqual(
        bench.client.updates('begun').map((said) => said['n']),
        [1, 2, 3],
      );
      assert.deepEqual(bench.client.updates('not begun'), []);
    });

    it('SEC-166: what comes before it is known to be shared is held in bounds, at twice the size', async () => {
      await share(1, (peer) =>
        peer.answer('session/new', () => {
          const long = { ...text, long: 'x'.repeat(1024) };
          peer.update('begun', text);
          for (let count = 0; count < 2048; count++) {
            peer.update('not begun', long);
          }
          return { sessionId: 'begun' };
        }),
      );
      await bench.client.ask('session/new', { cwd: folder });
      await settled();
      assert.deepEqual(bench.client.updates('begun'), []);
    });
  });
});
