import assert from 'node:assert/strict';
import type { TerminalExit } from '../../../../../src/protocol/agentRequests';
import { until } from '../../../../support/until';
import { connect, Peer, type Raw, rejectsWith, requestsWith, target } from '../../peer';

const maxMessageBytes = 10_000;
const large = 'x'.repeat(2 * maxMessageBytes);

async function connected(): Promise<{ peer: Peer } & Awaited<ReturnType<typeof connect>>> {
  const peer = new Peer();
  const requests = requestsWith({ writeTextFile: () => Promise.resolve() });
  return { peer, ...(await connect(peer.client, { maxMessageBytes, requests })) };
}

describe('messages over the limit', () => {
  const params = { sessionId: 's1', path: '/w/a', content: large };
  const method = 'fs/write_text_file';
  const requests: readonly [string, Raw][] = [
    ['the id before the params', { jsonrpc: '2.0', id: 7, method, params }],
    ['the id after them', { jsonrpc: '2.0', method, params, id: 7 }],
    ['all but the params after them', { params, method, id: 7, jsonrpc: '2.0' }],
  ];
  for (const [where, request] of requests) {
    it(`FS-3, SDK-10, SEC-84: a request over the limit is refused, with ${where}`, async () => {
      const { peer, log } = await connected();
      peer.send(request);
      const answer = await peer.message(({ id, method: called }) => id === 7 && !called);
      assert.equal((answer['error'] as Raw)['code'], -32600);
      assert.match(String((answer['error'] as Raw)['message']), /dropped: 20 KB is more than/);
      assert.match(log.lines.join(), /was dropped/);
    });
  }

  it('SDK-10: an id within the params of a request isn’t the request’s', async () => {
    const { peer } = await connected();
    peer.send({ jsonrpc: '2.0', method, params: { content: large, id: 8 } });
    peer.send({ jsonrpc: '2.0', id: 9, method, params: { ...params, content: 'small' } });
    await peer.message(({ id, result }) => id === 9 && result !== undefined);
    assert.ok(!peer.received.some(({ id }) => id === 8));
  });

  for (const last of [false, true]) {
    it(`SDK-10: an answer over the limit fails its request, its id ${last ? 'last' : 'first'}`, async () => {
      const { peer, connection } = await connected();
      peer.answer('session/list', ({ id }) => {
        const result = { sessions: [], large };
        peer.send(last ? { jsonrpc: '2.0', result, id } : { jsonrpc: '2.0', id, result });
        return undefined;
      });
      await rejectsWith(connection.listSessions({}), 'malformed');
    });
  }

  for (const last of [false, true]) {
    it(`SDK-10, SEC-84: an update over the limit leaves a word, its session ${last ? 'last' : 'first'}`, async () => {
      const { peer, updates } = await connected();
      const update = {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: large },
      };
      peer.send({
        jsonrpc: '2.0',
        method: 'session/update',
        params: last ? { update, sessionId: 's "1"' } : { sessionId: 's "1"', update },
      });
      await until(() => updates.length > 0);
      assert.equal(updates[0]?.sessionId, 's "1"');
      assert.match(JSON.stringify(updates[0].update), /too large to show/);
    });
  }
});

describe('values that are nested without end', () => {
  const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;

  it('PE-2, TO-7: a permission whose input is nested too deeply is still asked', async () => {
    const peer = new Peer();
    let asked: unknown;
    const requests = requestsWith({
      requestPermission: (request) => {
        asked = request.toolCall.rawInput;
        return Promise.resolve({ optionId: 'no' });
      },
    });
    await connect(peer.client, { requests, traffic: { enabled: true, write: () => undefined } });
    const toolCall = `{"toolCallId":"t","rawInput":{"command":"ls","deep":${deep}}}`;
    const options = '[{"optionId":"no","name":"No","kind":"reject_once"}]';
    const params = `{"sessionId":"s1","toolCall":${toolCall},"options":${options},"_meta":${deep}}`;
    peer.sendText(
      `{"jsonrpc":"2.0","id":5,"method":"session/request_permission","params":${params}}\n`,
    );
    const { result } = await peer.message(({ id, method }) => id === 5 && method === undefined);
    assert.deepEqual(result, { outcome: { outcome: 'selected', optionId: 'no' } });
    assert.match(JSON.stringify(asked), /"command":"ls".*nested too deeply/);
  });

  it('LIST-12, ER-4: so are answers read, good ones and errors', async () => {
    const peer = new Peer();
    peer.answer('session/list', ({ id }) => {
      const row = `{"sessionId":"a","cwd":"/w","_meta":{"model":"m","deep":${deep}}}`;
      peer.sendText(
        `{"jsonrpc":"2.0","id":${Number(id)},"result":{"sessions":[${row}],"x":${deep}}}\n`,
      );
      return undefined;
    });
    peer.answer('session/load', ({ id }) => {
      peer.sendText(
        `{"jsonrpc":"2.0","id":${Number(id)},"error":{"code":1,"message":"m","data":${deep}}}\n`,
      );
      return undefined;
    });
    const { connection } = await connect(peer.client);
    const { sessions } = await connection.listSessions({});
    assert.deepEqual(sessions[0]?._meta, { model: 'm' });
    await rejectsWith(connection.loadSession(target), 'rpc');
  });
});

describe('requests without end', () => {
  it('SDK-15, SEC-93: no more than 256 are dealt with at once, the others are refused', async () => {
    const peer = new Peer();
    const waiting: (() => void)[] = [];
    const waitForTerminalExit = (): Promise<TerminalExit> =>
      new Promise((resolve) => waiting.push(() => resolve({ exitCode: 0, signal: null })));
    const { log } = await connect(peer.client, { requests: requestsWith({ waitForTerminalExit }) });
    const ask = (): void => {
      // All with the same id, which an agent may do, too.
      peer.send({
        jsonrpc: '2.0',
        id: 'same',
        method: 'terminal/wait_for_exit',
        params: { sessionId: 's1', terminalId: 't1' },
      });
    };
    const refused = (): number => peer.received.filter(({ error }) => error !== undefined).length;
    const answered = (): number =>
      peer.received.filter(({ result }) => result !== undefined).length;
    for (let at = 0; at < 512; at++) {
      ask();
    }
    await until(() => refused() === 256);
    assert.equal(waiting.length, 256);
    for (const answer of waiting.splice(0)) {
      answer();
    }
    await until(() => answered() === 256);
    ask();
    await until(() => waiting.length === 1);
    assert.equal(refused(), 256);
    assert.ok(log.lines.length < 10, `${log.lines.length} lines`);
  });

  it('T-35, SEC-94: requests that fail are logged, and counted when there are many of them', async () => {
    const peer = new Peer();
    const { log } = await connect(peer.client, { requests: requestsWith({}) });
    for (let at = 0; at < 5_000; at += 100) {
      for (let more = 0; more < 100; more++) {
        peer.send({ jsonrpc: '2.0', id: at + more, method: 'fs/read_text_file', params: 5 });
      }
      await until(() => peer.received.filter(({ error }) => error).length >= at + 100);
    }
    assert.match(log.lines[0] ?? '', /fs\/read_text_file failed: .*not an object/);
    assert.ok(log.lines.length < 30, `${log.lines.length} lines`);
    assert.match(log.lines.at(-1) ?? '', /1000 times so far/);
  });
});
