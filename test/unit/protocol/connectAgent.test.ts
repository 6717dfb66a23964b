import assert from 'node:assert/strict';
import type { ConnectOptions } from '../../../src/protocol/connectAgent';
import { until } from '../../support/until';
import {
  connect,
  goodInitialize,
  isMethod,
  Peer,
  type Raw,
  rejectsWith,
  requestsWith,
} from './peer';

/** Agents send the output of their own terminals only to clients that announce this. */
const ownTerminals = { terminal_output: true };

describe('connecting', () => {
  it('INIT-1 to INIT-6, LIST-1: initialize comes first, once, with who we are', async () => {
    const peer = new Peer().answer('session/list', () => ({ sessions: [] }));
    const { connection } = await connect(peer.client);
    await connection.listSessions({});
    await connection.listSessions({});
    assert.deepEqual(peer.methods(), ['initialize', 'session/list', 'session/list']);
    assert.deepEqual(peer.received[0]?.['params'], {
      protocolVersion: 1,
      clientCapabilities: {
        session: { notices: {}, compaction: {}, promptSuggestions: {} },
        subagents: {},
        plan: {},
        _meta: ownTerminals,
      },
      clientInfo: { name: 'acp-sessions', title: 'ACP Sessions', version: '1.2.3' },
    });
  });

  async function promised(options: Partial<ConnectOptions>): Promise<unknown> {
    const peer = new Peer();
    await connect(peer.client, options);
    return (peer.received[0]?.['params'] as Raw)['clientCapabilities'];
  }

  it('INIT-3, INIT-11, INIT-12, INIT-13, CF-7, NO-1, CP-1: what is promised is what is handled', async () => {
    assert.deepEqual(await promised({ requests: requestsWith({}) }), {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {}, url: {} },
      session: {
        configOptions: { boolean: {} },
        notices: {},
        compaction: {},
        promptSuggestions: {},
      },
      subagents: {},
      plan: {},
      _meta: ownTerminals,
    });
  });

  it('AUTH-8: a login in a terminal is promised only where there can be one', async () => {
    const updates = { notices: {}, compaction: {}, promptSuggestions: {} };
    assert.deepEqual(await promised({ authTerminal: true }), {
      session: updates,
      auth: { terminal: true },
      subagents: {},
      plan: {},
      _meta: ownTerminals,
    });
    assert.deepEqual(await promised({ authTerminal: false }), {
      session: updates,
      subagents: {},
      plan: {},
      _meta: ownTerminals,
    });
  });

  it('the traffic log names the version that is spoken, after the answer that chooses it', async () => {
    const lines: string[] = [];
    const traffic = {
      enabled: true,
      write: (direction: string) => lines.push(direction),
      note: (text: string) => lines.push(text),
    };
    await connect(new Peer().client, { traffic });
    assert.deepEqual(lines, ['toAgent', 'fromAgent', 'initialized in version 1 of the protocol']);
  });

  it('INIT-14: who it is', async () => {
    const agentInfo = { name: 'a', title: 'Agent A', version: '2' };
    const { connection } = await connect(new Peer(goodInitialize({ agentInfo })).client);
    assert.deepEqual(connection.info, { name: 'a', title: 'Agent A', version: '2' });
  });

  for (const protocolVersion of [2, 0, '1', undefined]) {
    it(`INIT-7, T-36: version ${JSON.stringify(protocolVersion)} ends the connection, nothing else is sent`, async () => {
      const peer = new Peer(goodInitialize({ protocolVersion }));
      let ended = false;
      peer.own.onEnd(() => (ended = true));
      await rejectsWith(connect(peer.client), 'version');
      await until(() => ended);
      assert.deepEqual(peer.methods(), ['initialize']);
    });
  }

  it('T-33: an agent that never answers initialize is given up after the time limit', async () => {
    const peer = new Peer(undefined).answer('initialize', () => undefined);
    let ended = false;
    peer.own.onEnd(() => (ended = true));
    await rejectsWith(connect(peer.client, { initializeTimeoutMs: 20 }), 'timeout');
    await until(() => ended);
  });

  it('T-33: connecting can be given up', async () => {
    const peer = new Peer(undefined).answer('initialize', () => undefined);
    const giveUp = new AbortController();
    const connecting = connect(peer.client, { signal: giveUp.signal });
    await peer.message(isMethod('initialize'));
    giveUp.abort();
    await rejectsWith(connecting, 'cancelled');
  });

  it('an agent that only echoes is not an agent', async () => {
    const peer = new Peer(undefined);
    peer.own.onData(
      (bytes) => void peer.own.write(Buffer.from(bytes).toString()).catch(() => undefined),
    );
    peer.answer('initialize', () => undefined);
    await rejectsWith(connect(peer.client), 'malformed');
  });

  it('AUTH-13: a refusal of initialize keeps its code', async () => {
    const peer = new Peer(undefined).fail('initialize', { code: -32000, message: 'log in' });
    await rejectsWith(connect(peer.client), 'authRequired');
  });

  it('an agent that ends instead of answering', async () => {
    const peer = new Peer(undefined).answer('initialize', () => void peer.own.close());
    await rejectsWith(connect(peer.client), 'exited');
  });
});

describe('session/list', () => {
  it('LIST-4, LIST-5, LIST-6, LIST-17: sends what was asked, cursors byte for byte', async () => {
    const peer = new Peer().answer('session/list', () => ({ sessions: [] }));
    const { connection } = await connect(peer.client);
    const cursor = '"=/+é \u0000';
    await connection.listSessions({});
    await connection.listSessions({ cwd: '/w', cursor });
    const sent = peer.received.filter(isMethod('session/list')).map((message) => message['params']);
    assert.deepEqual(sent, [{}, { cwd: '/w', cursor }]);
  });

  it('LIST-19: bad input is left out and mentioned', async () => {
    const rows = [null, { sessionId: 'a', cwd: '/w' }];
    const peer = new Peer().answer('session/list', () => ({ sessions: rows, nextCursor: 7 }));
    const { connection, log } = await connect(peer.client);
    assert.deepEqual(await connection.listSessions({ cwd: '/w' }), {
      sessions: [{ sessionId: 'a', cwd: '/w', additionalDirectories: [] }],
    });
    assert.match(log.lines.join(), /1 entries/);
  });

  it('LIST-3: without the capability nothing is sent', async () => {
    const peer = new Peer({ protocolVersion: 1 });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.listSessions({}), 'unsupported');
    assert.deepEqual(peer.methods(), ['initialize']);
  });

  it('T-38: -32601 takes the capability away', async () => {
    const peer = new Peer().fail('session/list', { code: -32601, message: 'no' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.listSessions({}), 'unsupported');
    assert.equal(connection.capabilities.list, false);
    assert.equal(connection.capabilities.load, true);
    await rejectsWith(connection.listSessions({}), 'unsupported');
    assert.deepEqual(peer.methods(), ['initialize', 'session/list']);
  });

  it('LIST-10: a refused cursor is invalidParams', async () => {
    const peer = new Peer().fail('session/list', { code: -32602, message: 'bad cursor' });
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.listSessions({ cursor: 'x' }), 'invalidParams');
  });

  it('has a time limit, after which it is canceled', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client, { requestTimeoutMs: 20 });
    await rejectsWith(connection.listSessions({}), 'timeout');
    const cancel = await peer.message(isMethod('$/cancel_request'));
    const request = peer.received.find(isMethod('session/list'));
    assert.deepEqual(cancel['params'], { requestId: request?.['id'] });
  });

  it('CA-6, SDK-12: aborting cancels and rejects at once; the late answer does no harm', async () => {
    const peer = new Peer();
    const { connection, log } = await connect(peer.client);
    const abort = new AbortController();
    const listing = connection.listSessions({}, abort.signal);
    const request = await peer.message(isMethod('session/list'));
    abort.abort();
    await rejectsWith(listing, 'cancelled');
    await peer.message(isMethod('$/cancel_request'));
    peer.send({ jsonrpc: '2.0', id: request['id'], result: { sessions: [] } });
    peer.answer('session/list', () => ({ sessions: [] }));
    await connection.listSessions({});
    assert.deepEqual(log.lines, []);
  });

  it('SDK-12: a signal that is aborted already sends nothing', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    await rejectsWith(connection.listSessions({}, AbortSignal.abort()), 'cancelled');
    assert.deepEqual(peer.methods(), ['initialize']);
  });
});
