import assert from 'node:assert/strict';
import type { Transport } from '../../../../src/protocol/agentTransport';
import { type Deferred, deferred } from '../../../../src/util/async';
import type { Json } from '../../../fakeAgent/scenario';
import { until } from '../../../support/until';
import { Peer, type Raw } from '../peer';
import type { Client, Message } from './client';
import { elsewhere, folder, listed, type SharedPeers, sharePeers } from './sharedPeers';

describe('between a client and an agent that is shared', () => {
  let shared: SharedPeers;
  let client: Client;
  let agent: Peer;

  async function share(version: 1 | 2 = 1, answer?: (peer: Peer) => unknown): Promise<void> {
    shared = await sharePeers({ version, answer });
    client = await connected(version);
    const [first] = shared.agents;
    assert.ok(first);
    agent = first;
  }

  async function connected(version: 1 | 2 = 1): Promise<Client> {
    return (await shared.client().open()).initialize(version);
  }

  afterEach(async () => {
    await shared.server.stop();
  });

  const codeOf = ({ error }: Message): number | undefined =>
    (error as { readonly code: number } | undefined)?.code;
  const answersTo = (id: unknown): readonly Message[] =>
    client.received.filter((message) => message['id'] === id && message['method'] === undefined);
  const sentToAgent = (method: string): readonly Raw[] =>
    agent.received.filter((message) => message['method'] === method);

  /** Everything that was sent until now has arrived, in both directions. */
  async function settled(): Promise<void> {
    await client.ask('session/list');
  }

  describe('ids', () => {
    it('of requests are numbers of this side, and the answers have those of the client', async () => {
      await share(1, (peer) => peer.answer('session/set_mode', () => ({})));
      const ids = ['1', 'a b', 7000, -3, null];
      for (const id of ids) {
        client.send({ id, method: 'session/set_mode', params: { sessionId: listed } });
      }
      await until(() => ids.every((id) => answersTo(id).length === 1));
      const sent = agent.received.map(({ id }) => id);
      assert.ok(sent.every((id) => typeof id === 'number'));
      assert.equal(new Set(sent).size, sent.length);
      assert.ok(!sent.includes(7000) && !sent.includes(-3));
    });

    it('that wait are refused a second time, and free again with the answer', async () => {
      await share();
      const call = { id: 'one', method: 'session/set_mode', params: { sessionId: listed } };
      client.send(call);
      client.send(call);
      await until(() => answersTo('one').length === 1);
      assert.equal(codeOf(answersTo('one')[0] ?? {}), -32600);
      const [waiting, ...more] = sentToAgent('session/set_mode');
      assert.deepEqual(more, []);
      agent.send({ jsonrpc: '2.0', id: waiting?.['id'], result: {} });
      await until(() => answersTo('one').length === 2);
      client.send(call);
      await until(() => sentToAgent('session/set_mode').length === 2);
    });

    it('of more requests than may wait are refused, at twice the number', async () => {
      await share();
      await settled();
      for (let count = 0; count < 2000; count++) {
        const id = `many ${count}`;
        client.send({ id, method: 'session/set_mode', params: { sessionId: listed } });
      }
      await until(() => client.received.filter((message) => codeOf(message)).length === 1000);
      assert.equal(sentToAgent('session/set_mode').length, 1000);
      assert.equal(codeOf(answersTo('many 999')[0] ?? {}), undefined);
      assert.equal(codeOf(answersTo('many 1000')[0] ?? {}), -32600);
      agent.send({ jsonrpc: '2.0', id: sentToAgent('session/set_mode')[0]?.['id'], result: {} });
      await until(() => answersTo('many 0').length === 1);
      assert.ok('result' in (await client.ask('session/list')));
    });

    it('of twice the bytes that one may have are refused, from either side', async () => {
      await share();
      await settled();
      const long = 'é'.repeat(1024);
      client.send({ id: long, method: 'session/set_mode', params: { sessionId: listed } });
      await until(() => answersTo(null).length === 1);
      assert.equal(codeOf(answersTo(null)[0] ?? {}), -32600);
      agent.send({
        ...{ jsonrpc: '2.0', id: long, method: 'session/request_permission' },
        params: { sessionId: listed },
      });
      const refused = await agent.message(({ id, error }) => id === null && error !== undefined);
      assert.equal(codeOf(refused), -32600);
      const method = '_'.padEnd(2048, 'm');
      agent.send({ jsonrpc: '2.0', id: 'm', method, params: { sessionId: listed } });
      const other = await agent.message(({ id, error }) => id === 'm' && error !== undefined);
      assert.equal(codeOf(other), -32600);
      assert.ok(!JSON.stringify([client.received, agent.received]).includes(long));
    });

    it('of the agent’s requests are numbers of this side, too', async () => {
      await share();
      await settled();
      const params = { sessionId: listed, options: [] };
      agent.send({ jsonrpc: '2.0', id: 'mine', method: 'session/request_permission', params });
      agent.send({ jsonrpc: '2.0', id: 'mine', method: 'session/request_permission', params });
      const refused = await agent.message(({ id, error }) => id === 'mine' && error !== undefined);
      assert.equal(codeOf(refused), -32600);
      const asked = (): readonly Message[] =>
        client.received.filter(({ method }) => method === 'session/request_permission');
      await until(() => asked().length > 0);
      const [first, ...more] = asked();
      const id = first?.['id'];
      assert.equal(typeof id, 'number');
      assert.deepEqual(more, []);
      client.send({ id, result: { outcome: { outcome: 'cancelled' } } });
      await agent.message((message) => message['id'] === 'mine' && 'result' in message);
    });
  });

  it('answers that nobody waits for go nowhere', async () => {
    await share();
    client.send({ id: 9, method: 'session/set_mode', params: { sessionId: listed } });
    await until(() => sentToAgent('session/set_mode').length === 1);
    const id = sentToAgent('session/set_mode')[0]?.['id'];
    for (const wrong of [String(id), 9, 12_345, null, 'x', id, id]) {
      agent.send({ jsonrpc: '2.0', id: wrong, result: { from: wrong } });
    }
    await settled();
    const fromAgent = client.received.filter(({ result }) => (result as Raw)['from'] !== undefined);
    assert.deepEqual(fromAgent, [{ jsonrpc: '2.0', id: 9, result: { from: id } }]);

    const params = { sessionId: listed, options: [] };
    agent.send({ jsonrpc: '2.0', id: 'mine', method: 'session/request_permission', params });
    await until(() => client.received.some(({ method }) => method !== undefined));
    const asked = client.received.find(({ method }) => method !== undefined)?.['id'];
    for (const wrong of [id, 'mine', 12_345, null, asked, asked]) {
      client.send({ id: wrong, result: { from: 'client' } });
    }
    await settled();
    assert.deepEqual(
      agent.received.filter(({ result }) => result !== undefined),
      [{ jsonrpc: '2.0', id: 'mine', result: { from: 'client' } }],
    );
  });

  it('cancellations name the request as the other side knows it, or go nowhere', async () => {
    await share();
    await settled();
    client.send({ id: 'long', method: 'session/set_mode', params: { sessionId: listed } });
    client.send({ method: '$/cancel_request', params: { requestId: 'other' } });
    client.send({ method: '$/cancel_request', params: { requestId: 1 } });
    client.send({ method: '$/cancel_request', params: { requestId: 'long' } });
    await settled();
    const [waiting] = sentToAgent('session/set_mode');
    assert.deepEqual(
      sentToAgent('$/cancel_request').map(({ params }) => params),
      [{ requestId: waiting?.['id'] }],
    );

    const params = { sessionId: listed, options: [] };
    agent.send({ jsonrpc: '2.0', id: 'mine', method: 'session/request_permission', params });
    for (const requestId of ['other', 1, 'mine']) {
      agent.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } });
    }
    await settled();
    const [asked, ...cancelled] = client.received.filter(({ method }) => method !== undefined);
    assert.deepEqual(cancelled, [
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: asked?.['id'] } },
    ]);
  });

  describe('a message that is still looked at when its client is disconnected goes nowhere', () => {
    const rows = { sessions: [{ sessionId: 'late', cwd: folder }], nextCursor: '2' };
    let folderLooks: Deferred<boolean>[];

    beforeEach(async () => {
      folderLooks = [];
      shared = await sharePeers({
        mayUse: () => {
          const look = deferred<boolean>();
          folderLooks.push(look);
          return look.promise;
        },
        answer: (peer) => peer.answer('session/list', () => undefined),
      });
      client = await connected();
      const [first] = shared.agents;
      assert.ok(first);
      agent = first;
    });

    const disconnections: readonly (readonly [string, () => unknown])[] = [
      ['by a new token', () => shared.server.newToken()],
      [
        'by the owner',
        () => shared.server.clients.forEach(({ id }) => shared.server.disconnect(id)),
      ],
    ];
    for (const [how, disconnect] of disconnections) {
      it(`${how}, while its folder is looked at`, async () => {
        client.send({ id: 'n', method: 'session/new', params: { cwd: folder } });
        await until(() => folderLooks.length === 1);
        disconnect();
        folderLooks[0]?.resolve(true);
        await until(() => shared.server.clients.length === 0);
        assert.deepEqual(agent.methods(), ['initialize']);
      });

      it(`${how}, while its session is looked for`, async () => {
        client.send({ id: 'p', method: 'session/prompt', params: { sessionId: 'late' } });
        await until(() => sentToAgent('session/list').length === 1);
        agent.send({ jsonrpc: '2.0', id: sentToAgent('session/list')[0]?.['id'], result: rows });
        await until(() => folderLooks.length === 1);
        disconnect();
        folderLooks[0]?.resolve(true);
        await until(() => shared.server.clients.length === 0);
        assert.deepEqual(agent.methods(), ['initialize', 'session/list']);
      });
    }
  });

  describe('a client', () => {
    const call = { id: 1, method: 'initialize', params: { protocolVersion: 1 } };

    it('that is gone while its agent starts leaves its place, as seven others do', async () => {
      const starts: AbortSignal[] = [];
      shared = await sharePeers({
        start: (gone) => {
          starts.push(gone);
          return new Promise((_, reject) =>
            gone.addEventListener('abort', () => reject(gone.reason as Error)),
          );
        },
      });
      const clients = await Promise.all(Array.from({ length: 8 }, () => shared.client().open()));
      for (const one of clients) {
        one.send(call);
      }
      await until(() => starts.length === 8);
      for (const one of clients) {
        one.socket.terminate();
      }
      await until(() => shared.server.clients.length === 0);
      assert.ok(starts.every(({ aborted }) => aborted));
      await shared.client().open();
    });

    it('that is disconnected while its agent starts keeps nothing of it', async () => {
      const agent = new Peer();
      const started = deferred<Transport>();
      let begun = 0;
      shared = await sharePeers({ start: () => ((begun += 1), started.promise) });
      const one = await shared.client().open();
      one.send(call);
      await until(() => begun === 1);
      shared.server.newToken();
      started.resolve(agent.client);
      await until(() => shared.server.clients.length === 0);
      assert.deepEqual(agent.received, []);
      await assert.rejects(agent.client.write(''), 'the process has ended');
    });

    it('that doesn’t read is cut off, whatever it sends meanwhile', async () => {
      shared = await sharePeers({ quietMs: 500 });
      client = await connected();
      client.socket.pause();
      const long = 'i'.repeat(1000);
      for (let sent = 0; sent < 20_000; sent++) {
        client.send({ id: `${long}${sent}`, method: 'unknown' });
        if (sent % 200 === 0) {
          await new Promise(setImmediate);
        }
      }
      await until(() => shared.server.clients.length === 0);
    });

    it('whose agent doesn’t read is told by others at most 1 MiB, at twice as much', async () => {
      await share();
      await settled();
      const taken = deferred<undefined>();
      agent.client.write = () => taken.promise;
      agent.send({ jsonrpc: '2.0', id: 7, method: 'fs/read_text_file', params: {} });
      const other = { openElsewhere: () => 0, heard: () => 0, listChanged: () => 0 };
      shared.sessions.join(other);
      await new Promise(setImmediate);
      for (let count = 0; count < 64; count++) {
        const update = { sessionUpdate: 'session_info_update', title: 'x'.repeat(32 * 1024) };
        shared.sessions.pass(other, listed, update);
      }
      Reflect.deleteProperty(agent.client, 'write');
      taken.resolve(undefined);
      await settled();
      const told = client.updates(listed).length;
      assert.ok(told > 0 && told <= 32, `${told} updates`);
    });
  });

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
      it(`${what} is passed on if its session is shared only`, async () => {
        await share();
        await settled();
        for (const sessionId of [elsewhere, 'unheard of', 7, null, [listed], undefined, listed]) {
          agent.send({ jsonrpc: '2.0', method, params: { ...params, sessionId } });
        }
        await settled();
        const passed = client.received.filter((message) => message['method'] === method);
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
      it(`the request ${method} is passed on if its session is shared, and refused otherwise`, async () => {
        await share();
        await settled();
        const refusals = [elsewhere, 'unheard of', 7, null, undefined];
        for (const [index, sessionId] of refusals.entries()) {
          agent.send({ jsonrpc: '2.0', id: `r${index}`, method, params: { ...params, sessionId } });
          const { error } = await agent.message(({ id }) => id === `r${index}`);
          assert.ok(error !== undefined);
        }
        agent.send({ jsonrpc: '2.0', id: 'r', method, params: { ...params, sessionId: listed } });
        await settled();
        const passed = client.received.filter((message) => message['method'] === method);
        assert.deepEqual(
          passed.map((message) => (message['params'] as Raw)['sessionId']),
          [listed],
        );
      });
    }

    it('a message from or to a session elsewhere isn’t passed on', async () => {
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
        agent.update(listed, { ...message, ...end });
      }
      await settled();
      assert.deepEqual(
        client.updates(listed),
        ends.slice(3).map((end) => ({ ...message, ...end })),
      );
    });

    it('nothing about the owner’s accounts, or anything unknown, is passed on', async () => {
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
        agent.send({ jsonrpc: '2.0', method, params });
      }
      agent.send({ jsonrpc: '2.0', method: '_own/positions', params: [elsewhere] });
      await settled();
      assert.deepEqual(
        client.received.flatMap(({ method }) => method ?? []),
        said.slice(0, 3).map(([method]) => method),
      );
    });

    it('that the list has changed, or a question is over, says nothing of any session', async () => {
      await share();
      await settled();
      const secret = { title: 'Not yours', sessions: [{ sessionId: elsewhere }] };
      for (const method of ['session/list_changed', '_session/list_changed']) {
        agent.send({ jsonrpc: '2.0', method, params: secret, more: secret });
        agent.send({ jsonrpc: '2.0', method, params: [secret] });
      }
      const params = { ...secret, elicitationId: 'e' };
      agent.send({ jsonrpc: '2.0', method: 'elicitation/complete', params });
      await settled();
      assert.ok(!JSON.stringify(client.received).includes('Not yours'));
      assert.deepEqual(
        client.received.slice(-2).flatMap((message) => message['params'] ?? []),
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
      it(`an answer to \`session/list\` with ${what} says nothing of sessions elsewhere`, async () => {
        await share(1, (peer) =>
          peer.answer('session/list', ({ id }) => {
            peer.send({ jsonrpc: '2.0', id, ...said });
            return undefined;
          }),
        );
        const { result, error, jsonrpc, id, ...rest } = await client.ask('session/list');
        assert.deepEqual([jsonrpc, typeof id, rest], ['2.0', 'number', {}]);
        const { message, ...answer } = (result ?? error) as Raw;
        assert.deepEqual({ ...answer, ...('message' in expected && { message }) }, expected);
        assert.ok(!JSON.stringify(client.received).includes('Not yours'));
      });
    }

    it('a question about a request of the client names that, and one about no request is refused', async () => {
      await share();
      client.send({ id: 'mine', method: 'session/new', params: { cwd: folder } });
      await until(() => sentToAgent('session/new').length === 1);
      const requestId = sentToAgent('session/new')[0]?.['id'];
      const ask = (id: string, about: unknown): void =>
        agent.send({
          ...{ jsonrpc: '2.0', id, method: 'elicitation/create' },
          params: { requestId: about, mode: 'form', message: 'Which one?' },
        });
      for (const [id, wrong] of [
        ['w1', 'mine'],
        ['w2', 99_999],
        ['w3', null],
      ] as const) {
        ask(id, wrong);
        const { error } = await agent.message((message) => message['id'] === id);
        assert.ok(error !== undefined);
      }
      ask('right', requestId);
      await until(() => client.received.some(({ method }) => method === 'elicitation/create'));
      const asked = client.received.filter(({ method }) => method === 'elicitation/create');
      assert.deepEqual(
        asked.map(({ params }) => (params as Raw)['requestId']),
        ['mine'],
      );
    });

    it('T-19: updates before the answer that names their session come with it, and no others', async () => {
      await share(1, (peer) =>
        peer.answer('session/new', () => {
          peer.update('begun', { ...text, n: 1 });
          peer.update('not begun', text);
          peer.update('begun', { ...text, n: 2 });
          return { sessionId: 'begun' };
        }),
      );
      const { result } = await client.ask('session/new', { cwd: folder });
      assert.deepEqual(result, { sessionId: 'begun' });
      agent.update('begun', { ...text, n: 3 });
      await settled();
      assert.deepEqual(
        client.updates('begun').map((said) => said['n']),
        [1, 2, 3],
      );
      assert.deepEqual(client.updates('not begun'), []);
    });

    it('what comes before it is known to be shared is held in bounds, at twice the size', async () => {
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
      await client.ask('session/new', { cwd: folder });
      await settled();
      assert.deepEqual(client.updates('begun'), []);
    });
  });

  describe('sessions that reach beyond the shared folders', () => {
    const reaching: readonly (readonly [string, unknown])[] = [
      ['another folder', ['/elsewhere']],
      ['another folder beside a shared one', [folder, '/elsewhere']],
      ['what is no folder', [folder, 7]],
      ['what is no list of folders', '/elsewhere'],
      ['twice as many folders as one may', Array.from({ length: 200 }, () => folder)],
    ];
    for (const [what, additionalDirectories] of reaching) {
      it(`are neither listed nor used, with ${what}`, async () => {
        const rows = [
          { sessionId: 'wide', cwd: folder, additionalDirectories },
          { sessionId: listed, cwd: folder, additionalDirectories: [folder] },
          { sessionId: 'null', cwd: folder, additionalDirectories: null },
        ];
        await share(1, (peer) => peer.answer('session/list', () => ({ sessions: rows })));
        const { result } = await client.ask('session/list');
        assert.deepEqual(result, { sessions: rows.slice(1) });
        const answer = await client.ask('session/load', { sessionId: 'wide', cwd: folder });
        assert.equal(codeOf(answer), -32602);
        assert.deepEqual(sentToAgent('session/load'), []);
      });
    }
  });

  describe('a session that the agent calls a subagent of a shared one', () => {
    const subagent = { sessionUpdate: 'subagent_update', sessionId: 'child' };
    const cancel = async (): Promise<unknown> => {
      client.send({ method: 'session/cancel', params: { sessionId: 'child' } });
      await settled();
      return sentToAgent('session/cancel').length;
    };
    async function named(list: (message: Raw) => unknown): Promise<void> {
      await share(1, (peer) => peer.answer('session/list', list));
      client.send({ method: 'session/cancel', params: { sessionId: listed } });
      await settled();
      agent.update(listed, subagent);
      await settled();
    }
    const rows = (...more: readonly object[]): Raw => ({
      sessions: [{ sessionId: listed, cwd: folder }, ...more],
    });

    it('is used if the agent lists it nowhere', async () => {
      await named(() => rows());
      agent.update('child', { sessionUpdate: 'agent_message_chunk' });
      assert.equal(await cancel(), 2);
      assert.equal(client.updates('child').length, 1);
      assert.equal(await cancel(), 3);
    });

    it('is used if the agent lists it in a shared folder', async () => {
      await named(() => rows({ sessionId: 'child', cwd: folder }));
      assert.equal(await cancel(), 2);
    });

    it('isn’t used if the agent has listed it elsewhere', async () => {
      await named(() => rows({ sessionId: 'child', cwd: '/elsewhere' }));
      agent.update('child', { sessionUpdate: 'agent_message_chunk' });
      assert.equal(await cancel(), 1);
      assert.deepEqual(client.updates('child'), []);
    });

    it('isn’t used if the agent lists it elsewhere only when it is asked for all', async () => {
      let pages = 0;
      await named(({ params }) => {
        const { cursor } = params as Raw;
        pages += 1;
        return cursor === undefined
          ? { ...rows(), nextCursor: '2' }
          : { sessions: [{ sessionId: 'child', cwd: '/elsewhere' }] };
      });
      const before = pages;
      assert.equal(await cancel(), 1);
      assert.ok(pages > before);
      agent.update(listed, subagent);
      agent.update('child', { sessionUpdate: 'agent_message_chunk' });
      await settled();
      assert.deepEqual(client.updates('child'), []);
    });

    it('isn’t used while the agent’s list has no end', async () => {
      await named(() => ({ ...rows(), nextCursor: '2' }));
      assert.equal(await cancel(), 1);
    });
  });

  describe('what isn’t known is looked for once', () => {
    it('for a hundred pages, whatever folder is named', async () => {
      await share(1, (peer) =>
        peer.answer('session/list', () => ({ sessions: [], nextCursor: '2' })),
      );
      const answer = await client.ask('session/load', { sessionId: 'unknown', cwd: folder });
      assert.equal(codeOf(answer), -32602);
      assert.equal(sentToAgent('session/list').length, 100);
    });

    it('and for one limit of time', async () => {
      shared = await sharePeers({
        lookupMs: 20,
        answer: (peer) => peer.answer('session/list', () => undefined),
      });
      client = await connected();
      const answer = await client.ask('session/load', { sessionId: 'unknown', cwd: folder });
      assert.equal(codeOf(answer), -32602);
      assert.equal(shared.agents[0]?.methods().filter((name) => name === 'session/list').length, 1);
    });
  });

  describe('the agent gets', () => {
    const forbidden = [
      'authenticate',
      'logout',
      'auth/login',
      'auth/logout',
      'auth/status',
      'providers/set',
      'Logout',
      'LOGOUT',
      'session/Load',
      '_own/logout',
      'mcp/message',
    ];
    for (const method of forbidden) {
      it(`no ${method} of a client`, async () => {
        await share(method.startsWith('auth/') ? 2 : 1);
        assert.equal(
          codeOf(await client.ask(method, { methodId: 'm', sessionId: listed })),
          -32601,
        );
        client.send({ method, params: {} });
        await settled();
        assert.deepEqual(sentToAgent(method), []);
      });
    }

    const program = { name: 'own', command: '/bin/sh', args: ['-c', 'evil'], env: [] };
    const smuggled: readonly (readonly [string, Json])[] = [
      ['folders in another case', { CWD: '/evil', Cwd: '/evil', ADDITIONALDIRECTORIES: ['/evil'] }],
      [
        'letters that fold to others',
        { 'additionalDirectorie\u017f': ['/evil'], 'mcp\u017fervers': [program] },
      ],
      ['MCP servers in another case', { McpServers: [program], mcpservers: [program] }],
      ['a session in another case', { SessionId: 'evil', sessionid: 'evil', sessionID: 'evil' }],
      ['`_meta` in another case', { _META: { options: 'evil' }, _Meta: { options: 'evil' } }],
      ['anything else', { systemPrompt: 'evil', workspaceRoots: ['/evil'], env: { A: 'evil' } }],
      [
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
          await client.ask('session/list');
          const params = { sessionId: listed, cwd: folder, prompt: [{ type: 'text', text: 'hi' }] };
          const answer = await client.ask(method, { ...params, ...(more as object) });
          assert.ok('result' in answer, JSON.stringify(answer));
          assert.ok(
            !JSON.stringify(agent.received).includes('evil'),
            JSON.stringify(agent.received),
          );
        });
      }
    }

    it('no params without names', async () => {
      await share();
      for (const params of [[{ cwd: '/evil' }], ['/evil'], [], 'evil', 7, true]) {
        assert.equal(codeOf(await client.ask('session/new', params)), -32602);
      }
      client.send({ method: 'session/cancel', params: [elsewhere] });
      await settled();
      assert.deepEqual(agent.methods(), ['initialize', 'session/list']);
    });

    it('nothing about a session that isn’t named', async () => {
      await share();
      for (const method of ['session/prompt', 'session/close', 'session/load', 'session/status']) {
        for (const sessionId of [undefined, null, 7, [listed], { id: listed }]) {
          assert.equal(codeOf(await client.ask(method, { cwd: folder, sessionId })), -32602);
        }
        assert.deepEqual(sentToAgent(method), []);
      }
    });

    it('no id of a session of twice the bytes that one may have, nor does the client', async () => {
      const long = 'é'.repeat(8192);
      const rows = [long, '', listed].map((sessionId) => ({ sessionId, cwd: folder }));
      await share(1, (peer) => peer.answer('session/list', () => ({ sessions: rows })));
      const { result } = await client.ask('session/list');
      assert.deepEqual(result, { sessions: rows.slice(2) });
      assert.equal(codeOf(await client.ask('session/close', { sessionId: long })), -32602);
      agent.update(long, {});
      await settled();
      assert.deepEqual(client.updates(long), []);
      assert.ok(!JSON.stringify(agent.received).includes(long));
    });

    it('of `_meta`, also further down, only what is known', async () => {
      await share(1, (peer) => peer.answer('session/prompt', () => ({ stopReason: 'end_turn' })));
      const block = { type: 'text', text: 'hi', _meta: { options: 'evil' }, _META: 'evil' };
      await client.ask('session/prompt', { sessionId: listed, prompt: [block] });
      assert.deepEqual(sentToAgent('session/prompt')[0]?.['params'], {
        sessionId: listed,
        prompt: [{ type: 'text', text: 'hi' }],
      });
    });

    it('of `initialize` what the same checks let through', async () => {
      await share();
      const other = await shared.client().open();
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
      assert.deepEqual(shared.agents[1]?.received[0]?.['params'], {
        protocolVersion: 1,
        clientCapabilities: {
          ...{ elicitation: { form: {} }, subagents: {}, session: {} },
          _meta: { terminal_output: true },
        },
        clientInfo: { name: 'c', version: '1' },
      });
    });

    it('nothing before `initialize`, whatever is wrong with the first message', async () => {
      await share();
      const place = { cwd: folder, additionalDirectories: ['/evil'] };
      const messages = [
        ...forbidden.map((method) => ({ id: 1, method, params: {} })),
        ...[place, { cwd: folder, mcpServers: [program] }, { mcpServers: 7 }, [place]].map(
          (params) => ({ id: 1, method: 'session/new', params }),
        ),
      ];
      for (const message of messages) {
        const other = await shared.client().open();
        other.send(message);
        await until(() => other.ended !== undefined);
        assert.equal(other.ended?.code, 1008, JSON.stringify(message));
      }
      assert.equal(shared.agents.length, 1);
    });

    for (const [what, message] of [
      ['without an id', { method: 'initialize', params: { protocolVersion: 1 } }],
      ['with params without names', { id: 1, method: 'initialize', params: [1, { fs: {} }] }],
    ] as const) {
      it(`no \`initialize\` ${what}, which ends the connection`, async () => {
        await share();
        const other = await shared.client().open();
        other.send(message);
        await until(() => other.ended !== undefined);
        assert.equal(other.ended?.code, 1008);
        assert.equal(shared.agents.length, 1);
      });
    }
  });
});
