import assert from 'node:assert/strict';
import type { UnknownRequest } from '../../../src/protocol/agentRequests';
import type { Transport } from '../../../src/protocol/agentTransport';
import { AcpError } from '../../../src/protocol/errors';
import { deferred } from '../../../src/util/async';
import { until } from '../../support/until';
import { ask, codeOf, connect, goodInitialize, Peer, requestsWith, target } from './peer';

describe('what an agent asks', () => {
  const permission = {
    sessionId: 's1',
    toolCall: { toolCallId: 't' },
    options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
  };

  it('PE-1, PE-7: a permission request without a handler is canceled, never allowed', async () => {
    const peer = new Peer();
    await connect(peer.client);
    const answer = await ask(peer, 'session/request_permission', permission);
    assert.deepEqual(answer['result'], { outcome: { outcome: 'cancelled' } });
  });

  it('T-35: a handler that fails tells the agent nothing but a code', async () => {
    const peer = new Peer();
    const requests = requestsWith({
      readTextFile: () => Promise.reject(new Error('/home/me/secret')),
    });
    const { log } = await connect(peer.client, { requests });
    const answer = await ask(peer, 'fs/read_text_file', { sessionId: 's1', path: '/w/a' });
    assert.equal(codeOf(answer), -32603);
    assert.ok(!JSON.stringify(answer).includes('secret'));
    assert.match(log.lines.join(), /secret/);
  });

  for (const [code, expected] of [
    ['invalidParams', -32602],
    ['gone', -32002],
    ['unsupported', -32601],
    ['cancelled', -32800],
    ['untrusted', -32603],
  ] as const) {
    it(`ER-3, FS-5, CA-9: a refusal as ${code} is ${expected} for the agent`, async () => {
      const peer = new Peer();
      const refuse = (): Promise<never> => Promise.reject(new AcpError(code, 'm'));
      await connect(peer.client, { requests: requestsWith({ readTextFile: refuse }) });
      const answer = await ask(peer, 'fs/read_text_file', { sessionId: 's1', path: '/w/a' });
      assert.equal(codeOf(answer), expected);
      // Agents pass this message on to their model: "failed" would make it try again.
      assert.equal(/failed/.test(JSON.stringify(answer)), code === 'invalidParams');
    });
  }

  it('SDK-11: requests begin in the order in which they came, whatever they are', async () => {
    const peer = new Peer();
    const order: string[] = [];
    const begin = (name: string) => (): Promise<never> => {
      order.push(name);
      return Promise.reject(new AcpError('gone', ''));
    };
    const elicitationCompleted = (id: string): void => void order.push(id);
    const requests = requestsWith({
      readTextFile: begin('read'),
      writeTextFile: begin('write'),
      elicit: begin('elicit'),
      elicitationCompleted,
    });
    await connect(peer.client, { requests });
    const file = { sessionId: 's1', path: '/w/a', content: '' };
    const url = { sessionId: 's1', mode: 'url', message: '', url: 'https://x', elicitationId: 'e' };
    const answers = [
      ask(peer, 'elicitation/create', url, 1),
      ask(peer, 'fs/write_text_file', file, 2),
      ask(peer, 'fs/read_text_file', file, 3),
    ];
    peer.send({ jsonrpc: '2.0', method: 'elicitation/complete', params: { elicitationId: 'e' } });
    await Promise.all(answers);
    await until(() => order.length === 4);
    assert.deepEqual(order, ['elicit', 'write', 'read', 'e']);
  });

  for (const method of [
    'fs/read_text_file',
    'fs/write_text_file',
    'terminal/create',
    'elicitation/create',
    '_x/y',
    'craft/drainMidTurnQueue',
  ]) {
    it(`EX-4, FS-1, TE-1: ${method} is answered with -32601 and the same id`, async () => {
      const peer = new Peer();
      await connect(peer.client);
      for (const id of [0, -1, '', 'a']) {
        const answer = await ask(peer, method, {}, id);
        assert.equal(codeOf(answer), -32601);
      }
    });
  }

  for (const method of [
    '_x/y',
    'craft/drainMidTurnQueue',
    'constructor',
    '__proto__',
    'terminal/',
  ]) {
    it(`EX-4: ${method} is not known to those who answer everything either`, async () => {
      const peer = new Peer();
      await connect(peer.client, { requests: requestsWith({}) });
      assert.equal(codeOf(await ask(peer, method, { _meta: 5 })), -32601);
    });
  }

  it('EX-4: a request that isn’t known is refused, heard of and logged, but for one that comes with each turn', async () => {
    const peer = new Peer();
    const heard: UnknownRequest[] = [];
    await connect(peer.client, {
      requests: requestsWith({ unknownRequest: (request) => heard.push(request) }),
    });
    const params = { sessionId: 's1', toolCallId: 'c1', question: 'x'.repeat(40_000) };
    assert.equal(codeOf(await ask(peer, 'acme/ask', params)), -32601);
    assert.equal(codeOf(await ask(peer, 'craft/drainMidTurnQueue', params)), -32601);
    assert.equal(heard.length, 1);
    const { raw = '', ...request } = heard[0] ?? {};
    assert.deepEqual(request, { method: 'acme/ask', sessionId: 's1', toolCallId: 'c1' });
    assert.ok(raw.includes('question') && raw.length <= 20_100);
    await ask(peer, 'acme/ask', { sessionId: 's'.repeat(40_000), toolCallId: 'c1' });
    assert.equal(heard[1]?.sessionId, undefined, 'no session is called so');
  });

  it('ER-2: an id is returned unchanged', async () => {
    const peer = new Peer();
    await connect(peer.client, {
      requests: requestsWith({ readTextFile: () => Promise.resolve('x') }),
    });
    for (const id of [0, -1, '', 'a', '0', null]) {
      const answer = await ask(peer, 'fs/read_text_file', { sessionId: 's1', path: '/a' }, id);
      assert.deepEqual(answer, { jsonrpc: '2.0', id, result: { content: 'x' } });
    }
  });

  it('FS-2: reads few files ahead of an agent that takes no answers, and all when it does', async () => {
    const peer = new Peer();
    const taken = deferred<undefined>();
    let isStuck = false;
    const { client } = peer;
    const slow: Transport = {
      onData: client.onData,
      onEnd: client.onEnd,
      pause: () => client.pause(),
      resume: () => client.resume(),
      close: () => client.close(),
      write: async (bytes) => {
        await (isStuck ? taken.promise : undefined);
        return client.write(bytes);
      },
    };
    let read = 0;
    const readTextFile = (): Promise<string> => Promise.resolve(`${++read}`);
    const order: string[] = [];
    await connect(slow, {
      requests: requestsWith({
        readTextFile,
        writeTextFile: ({ path }) => Promise.resolve(void order.push(`${path} after ${read}`)),
      }),
    });
    isStuck = true;
    const asked = Array.from({ length: 100 }, (_, id) =>
      ask(peer, 'fs/read_text_file', { sessionId: 's1', path: '/a' }, id),
    );
    const write = ask(
      peer,
      'fs/write_text_file',
      { sessionId: 's1', path: '/a', content: '' },
      'write',
    );
    await until(() => read === 4);
    for (let turn = 0; turn < 50; turn++) {
      await new Promise(setImmediate);
    }
    assert.equal(read, 4);
    isStuck = false;
    taken.resolve(undefined);
    const answers = await Promise.all(asked);
    assert.deepEqual(answers.at(-1)?.['result'], { content: '100' });
    await write;
    assert.deepEqual(order, ['/a after 100']);
  });

  it('ER-1: an update that is sent as a request is refused, not applied', async () => {
    const peer = new Peer();
    const { updates } = await connect(peer.client);
    const update = { sessionUpdate: 'plan', entries: [] };
    const answer = await ask(peer, 'session/update', { sessionId: 's1', update });
    assert.equal(codeOf(answer), -32601);
    assert.deepEqual(updates, []);
  });

  it('EX-5, ER-1, CA-10: notifications get no answer, known or not', async () => {
    const peer = new Peer().answer('session/list', () => ({ sessions: [] }));
    const { connection, log } = await connect(peer.client);
    const methods = ['_auth/status_update', 'qwen/notify/x', 'foo/bar', 'elicitation/complete'];
    for (const method of methods) {
      peer.send({ jsonrpc: '2.0', method, params: { x: 1 } });
    }
    peer.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 999 } });
    await connection.listSessions({});
    assert.deepEqual(peer.methods(), ['initialize', 'session/list']);
    assert.deepEqual(log.lines, []);
  });

  it('answers to nothing that was asked are logged and left at that', async () => {
    const peer = new Peer().answer('session/list', () => ({ sessions: [] }));
    const { connection, log } = await connect(peer.client);
    peer.send({ jsonrpc: '2.0', id: 77, result: {} });
    peer.send({ jsonrpc: '2.0', id: '0', result: {} });
    peer.send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
    await connection.listSessions({});
    assert.equal(log.lines.length, 1);
    assert.deepEqual(peer.methods(), ['initialize', 'session/list']);
  });

  it('ER-1: an answer with a result and an error of null is a result', async () => {
    const peer = new Peer().answer('session/list', (message) => {
      peer.send({ jsonrpc: '2.0', id: message['id'], result: { sessions: [] }, error: null });
      return undefined;
    });
    const { connection } = await connect(peer.client);
    assert.deepEqual(await connection.listSessions({}), { sessions: [] });
  });

  it('SDK-15: an agent that asks without end and takes no answers is not listened to any longer', async () => {
    const peer = new Peer();
    const calls: string[] = [];
    const takesAnswers = deferred<undefined>();
    let answered = false;
    const transport: Transport = {
      onData: peer.client.onData,
      onEnd: peer.client.onEnd,
      close: () => peer.client.close(),
      pause: () => calls.push('pause'),
      resume: () => calls.push('resume'),
      write: async (bytes) => {
        if (bytes.includes('"error"')) {
          answered = true;
          await takesAnswers.promise;
        }
        await peer.client.write(bytes);
      },
    };
    await connect(transport);
    for (let id = 0; id < 1500; id++) {
      peer.send({ jsonrpc: '2.0', id, method: '_x/y' });
    }
    await until(() => calls.length > 0 && answered);
    assert.deepEqual(calls, ['pause']);
    takesAnswers.resolve(undefined);
    await until(() => calls.length > 1);
    assert.deepEqual(calls, ['pause', 'resume']);
  });
});

describe('the end of a connection', () => {
  it('invariant 2: everything settles with the reason when the agent goes', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const closed: AcpError[] = [];
    connection.onClosed((reason) => closed.push(reason));
    const pending = [
      connection.listSessions({}),
      connection.loadSession(target),
      connection.whenLoadsEnded('s1'),
      connection.closeSession('s1'),
    ];
    await peer.message((message) => message['method'] === 'session/close');
    await peer.own.close();
    const settled = await Promise.allSettled(pending);
    assert.deepEqual(
      settled.map((one) => (one.status === 'rejected' ? (one.reason as AcpError).code : 'done')),
      ['exited', 'exited', 'done', 'done'],
    );
    assert.deepEqual(
      closed.map((reason) => reason.code),
      ['exited'],
    );
    await assert.rejects(
      connection.listSessions({}),
      (error) => error instanceof AcpError && error.code === 'exited',
    );
  });

  it('an answer that is already there counts, though the agent has gone', async () => {
    const peer = new Peer().answer('session/list', (message) => {
      peer.sendText(`{"jsonrpc":"2.0","id":${String(message['id'])},"result":{"sessions":[]}}`);
      void peer.own.close();
      return undefined;
    });
    const { connection } = await connect(peer.client);
    assert.deepEqual(await connection.listSessions({}), { sessions: [] });
  });

  it('closing it settles pending calls, sends nothing, and lets nothing more through', async () => {
    const peer = new Peer();
    const { connection, updates } = await connect(peer.client);
    connection.onClosed(() => assert.fail('it was we who closed it'));
    const loading = connection.loadSession(target);
    await peer.message((message) => message['method'] === 'session/load');
    peer.update('s1', { sessionUpdate: 'plan', entries: [] });
    const closing = connection.close();
    await assert.rejects(
      loading,
      (error) => error instanceof AcpError && error.code === 'cancelled',
    );
    await closing;
    assert.deepEqual(updates, []);
    await connection.whenLoadsEnded('s1');
    connection.dispose();
    connection.dispose();
  });

  it('an answer of ours that can’t be sent ends the connection with a reason, not in silence', async () => {
    const peer = new Peer();
    const readTextFile = (): Promise<string> => Promise.resolve(1n as unknown as string);
    const requests = requestsWith({ readTextFile });
    const { connection } = await connect(peer.client, { requests });
    const closed = new Promise<AcpError>((resolve) => connection.onClosed(resolve));
    const listing = connection.listSessions({});
    void ask(peer, 'fs/read_text_file', { sessionId: 's1', path: '/w/a' });
    assert.equal((await closed).code, 'malformed');
    await assert.rejects(listing, AcpError);
  });

  it('requests that come while the line is going down do no harm', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const closed = new Promise<AcpError>((resolve) => connection.onClosed(resolve));
    for (let id = 0; id < 10; id++) {
      peer.send({ jsonrpc: '2.0', id, method: '_x/y' });
    }
    void peer.own.close();
    assert.equal((await closed).code, 'exited');
  });

  it('an agent that answered initialize and went is not connected', async () => {
    const peer = new Peer(undefined).answer('initialize', (message) => {
      peer.send({ jsonrpc: '2.0', id: message['id'], result: goodInitialize() });
      void peer.own.close();
      return undefined;
    });
    await assert.rejects(
      connect(peer.client),
      (error) => error instanceof AcpError && error.code === 'exited',
    );
  });
});

describe('the traffic log', () => {
  it('has every message in both directions, without secrets', async () => {
    const peer = new Peer().answer('session/list', () => ({
      sessions: [],
      _meta: { token: 's3cret' },
    }));
    const lines: string[] = [];
    const traffic = {
      enabled: true,
      write: (direction: string, text: string) => lines.push(`${direction} ${text}`),
    };
    const { connection } = await connect(peer.client, { traffic });
    await connection.listSessions({ cwd: '/w' });
    assert.deepEqual(
      lines.map((line) => line.slice(0, line.indexOf(' '))),
      ['toAgent', 'fromAgent', 'toAgent', 'fromAgent'],
    );
    assert.match(lines[2] ?? '', /session\/list.*\/w/);
    assert.ok(!lines.join().includes('s3cret'));
  });

  it('is not asked for anything while it is off', async () => {
    const traffic = { enabled: false, write: () => assert.fail('off') };
    await connect(new Peer().client, { traffic });
  });
});
