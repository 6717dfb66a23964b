import assert from 'node:assert/strict';
import type { Transport } from '../../../../src/protocol/agentTransport';
import { type Deferred, deferred } from '../../../../src/util/async';
import { until } from '../../../support/until';
import { Peer, type Raw } from '../peer';
import type { Message } from './client';
import { SharedBench } from './sharedBench';
import { folder, listed, sharePeers } from './sharedPeers';

describe('between a client and an agent that is shared', () => {
  const bench = SharedBench.ofSuite();
  const { share, connected, codeOf, answersTo, sentToAgent, settled } = bench;

  describe('ids', () => {
    it('SEC-165: of requests are numbers of this side, and the answers have those of the client', async () => {
      await share(1, (peer) => peer.answer('session/set_mode', () => ({})));
      const ids = ['1', 'a b', 7000, -3, null];
      for (const id of ids) {
        bench.client.send({ id, method: 'session/set_mode', params: { sessionId: listed } });
      }
      await until(() => ids.every((id) => answersTo(id).length === 1));
      const sent = bench.agent.received.map(({ id }) => id);
      assert.ok(sent.every((id) => typeof id === 'number'));
      assert.equal(new Set(sent).size, sent.length);
      assert.ok(!sent.includes(7000) && !sent.includes(-3));
    });

    it('SEC-165: that wait are refused a second time, and free again with the answer', async () => {
      await share();
      const call = { id: 'one', method: 'session/set_mode', params: { sessionId: listed } };
      bench.client.send(call);
      bench.client.send(call);
      await until(() => answersTo('one').length === 1);
      assert.equal(codeOf(answersTo('one')[0] ?? {}), -32600);
      const [waiting, ...more] = sentToAgent('session/set_mode');
      assert.deepEqual(more, []);
      bench.agent.send({ jsonrpc: '2.0', id: waiting?.['id'], result: {} });
      await until(() => answersTo('one').length === 2);
      bench.client.send(call);
      await until(() => sentToAgent('session/set_mode').length === 2);
    });

    it('SEC-165: of more requests than may wait are refused, at twice the number', async () => {
      await share();
      await settled();
      for (let count = 0; count < 2000; count++) {
        const id = `many ${count}`;
        bench.client.send({ id, method: 'session/set_mode', params: { sessionId: listed } });
      }
      await until(() => bench.client.received.filter((message) => codeOf(message)).length === 1000);
      assert.equal(sentToAgent('session/set_mode').length, 1000);
      assert.equal(codeOf(answersTo('many 999')[0] ?? {}), undefined);
      assert.equal(codeOf(answersTo('many 1000')[0] ?? {}), -32600);
      bench.agent.send({
        jsonrpc: '2.0',
        id: sentToAgent('session/set_mode')[0]?.['id'],
        result: {},
      });
      await until(() => answersTo('many 0').length === 1);
      assert.ok('result' in (await bench.client.ask('session/list')));
    });

    it('SEC-165: of twice the bytes that one may have are refused, from either side', async () => {
      await share();
      await settled();
      const long = 'é'.repeat(1024);
      bench.client.send({ id: long, method: 'session/set_mode', params: { sessionId: listed } });
      await until(() => answersTo(null).length === 1);
      assert.equal(codeOf(answersTo(null)[0] ?? {}), -32600);
      bench.agent.send({
        ...{ jsonrpc: '2.0', id: long, method: 'session/request_permission' },
        params: { sessionId: listed },
      });
      const refused = await bench.agent.message(
        ({ id, error }) => id === null && error !== undefined,
      );
      assert.equal(codeOf(refused), -32600);
      const method = '_'.padEnd(2048, 'm');
      bench.agent.send({ jsonrpc: '2.0', id: 'm', method, params: { sessionId: listed } });
      const other = await bench.agent.message(({ id, error }) => id === 'm' && error !== undefined);
      assert.equal(codeOf(other), -32600);
      assert.ok(!JSON.stringify([bench.client.received, bench.agent.received]).includes(long));
    });

    it('SEC-165: of the agent’s requests are numbers of this side, too', async () => {
      await share();
      await settled();
      const params = { sessionId: listed, options: [] };
      bench.agent.send({
        jsonrpc: '2.0',
        id: 'mine',
        method: 'session/request_permission',
        params,
      });
      bench.agent.send({
        jsonrpc: '2.0',
        id: 'mine',
        method: 'session/request_permission',
        params,
      });
      const refused = await bench.agent.message(
        ({ id, error }) => id === 'mine' && error !== undefined,
      );
      assert.equal(codeOf(refused), -32600);
      const asked = (): readonly Message[] =>
        bench.client.received.filter(({ method }) => method === 'session/request_permission');
      await until(() => asked().length > 0);
      const [first, ...more] = asked();
      const id = first?.['id'];
      assert.equal(typeof id, 'number');
      assert.deepEqual(more, []);
      bench.client.send({ id, result: { outcome: { outcome: 'cancelled' } } });
      await bench.agent.message((message) => message['id'] === 'mine' && 'result' in message);
    });
  });

  it('SEC-165: answers that nobody waits for go nowhere', async () => {
    await share();
    bench.client.send({ id: 9, method: 'session/set_mode', params: { sessionId: listed } });
    await until(() => sentToAgent('session/set_mode').length === 1);
    const id = sentToAgent('session/set_mode')[0]?.['id'];
    for (const wrong of [String(id), 9, 12_345, null, 'x', id, id]) {
      bench.agent.send({ jsonrpc: '2.0', id: wrong, result: { from: wrong } });
    }
    await settled();
    const fromAgent = bench.client.received.filter(
      ({ result }) => (result as Raw)['from'] !== undefined,
    );
    assert.deepEqual(fromAgent, [{ jsonrpc: '2.0', id: 9, result: { from: id } }]);

    const params = { sessionId: listed, options: [] };
    bench.agent.send({ jsonrpc: '2.0', id: 'mine', method: 'session/request_permission', params });
    await until(() => bench.client.received.some(({ method }) => method !== undefined));
    const asked = bench.client.received.find(({ method }) => method !== undefined)?.['id'];
    for (const wrong of [id, 'mine', 12_345, null, asked, asked]) {
      bench.client.send({ id: wrong, result: { from: 'client' } });
    }
    await settled();
    assert.deepEqual(
      bench.agent.received.filter(({ result }) => result !== undefined),
      [{ jsonrpc: '2.0', id: 'mine', result: { from: 'client' } }],
    );
  });

  it('SEC-165: cancellations name the request as the other side knows it, or go nowhere', async () => {
    await share();
    await settled();
    bench.client.send({ id: 'long', method: 'session/set_mode', params: { sessionId: listed } });
    bench.client.send({ method: '$/cancel_request', params: { requestId: 'other' } });
    bench.client.send({ method: '$/cancel_request', params: { requestId: 1 } });
    bench.client.send({ method: '$/cancel_request', params: { requestId: 'long' } });
    await settled();
    const [waiting] = sentToAgent('session/set_mode');
    assert.deepEqual(
      sentToAgent('$/cancel_request').map(({ params }) => params),
      [{ requestId: waiting?.['id'] }],
    );

    const params = { sessionId: listed, options: [] };
    bench.agent.send({ jsonrpc: '2.0', id: 'mine', method: 'session/request_permission', params });
    for (const requestId of ['other', 1, 'mine']) {
      bench.agent.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } });
    }
    await settled();
    const [asked, ...cancelled] = bench.client.received.filter(
      ({ method }) => method !== undefined,
    );
    assert.deepEqual(cancelled, [
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: asked?.['id'] } },
    ]);
  });

  describe('a message that is still looked at when its client is disconnected goes nowhere', () => {
    const rows = { sessions: [{ sessionId: 'late', cwd: folder }], nextCursor: '2' };
    let folderLooks: Deferred<boolean>[];

    beforeEach(async () => {
      folderLooks = [];
      bench.peers = await sharePeers({
        mayUse: () => {
          const look = deferred<boolean>();
          folderLooks.push(look);
          return look.promise;
        },
        answer: (peer) => peer.answer('session/list', () => undefined),
      });
      bench.client = await connected();
      const [first] = bench.peers.agents;
      assert.ok(first);
      bench.agent = first;
    });

    const disconnections: readonly (readonly [string, () => unknown])[] = [
      ['by a new token', () => bench.peers.server.newToken()],
      [
        'by the owner',
        () => bench.peers.server.clients.forEach(({ id }) => bench.peers.server.disconnect(id)),
      ],
    ];
    for (const [how, disconnect] of disconnections) {
      it(`SEC-155: ${how}, while its folder is looked at`, async () => {
        bench.client.send({ id: 'n', method: 'session/new', params: { cwd: folder } });
        await until(() => folderLooks.length === 1);
        disconnect();
        folderLooks[0]?.resolve(true);
        await until(() => bench.peers.server.clients.length === 0);
        assert.deepEqual(bench.agent.methods(), ['initialize']);
      });

      it(`SEC-155: ${how}, while its session is looked for`, async () => {
        bench.client.send({ id: 'p', method: 'session/prompt', params: { sessionId: 'late' } });
        await until(() => sentToAgent('session/list').length === 1);
        bench.agent.send({
          jsonrpc: '2.0',
          id: sentToAgent('session/list')[0]?.['id'],
          result: rows,
        });
        await until(() => folderLooks.length === 1);
        disconnect();
        folderLooks[0]?.resolve(true);
        await until(() => bench.peers.server.clients.length === 0);
        assert.deepEqual(bench.agent.methods(), ['initialize', 'session/list']);
      });
    }
  });

  describe('a client', () => {
    const call = { id: 1, method: 'initialize', params: { protocolVersion: 1 } };

    it('SEC-170: that is gone while its agent starts leaves its place, as seven others do', async () => {
      const starts: AbortSignal[] = [];
      bench.peers = await sharePeers({
        start: (gone) => {
          starts.push(gone);
          return new Promise((_, reject) =>
            gone.addEventListener('abort', () => reject(gone.reason as Error)),
          );
        },
      });
      const clients = await Promise.all(
        Array.from({ length: 8 }, () => bench.peers.client().open()),
      );
      for (const one of clients) {
        one.send(call);
      }
      await until(() => starts.length === 8);
      for (const one of clients) {
        one.socket.terminate();
      }
      await until(() => bench.peers.server.clients.length === 0);
      assert.ok(starts.every(({ aborted }) => aborted));
      await bench.peers.client().open();
    });

    it('that is disconnected while its agent starts keeps nothing of it', async () => {
      const agent = new Peer();
      const started = deferred<Transport>();
      let begun = 0;
      bench.peers = await sharePeers({ start: () => ((begun += 1), started.promise) });
      const one = await bench.peers.client().open();
      one.send(call);
      await until(() => begun === 1);
      bench.peers.server.newToken();
      started.resolve(agent.client);
      await until(() => bench.peers.server.clients.length === 0);
      assert.deepEqual(agent.received, []);
      await assert.rejects(agent.client.write(''), 'the process has ended');
    });

    it('SEC-169: that doesn’t read is cut off, whatever it sends meanwhile', async () => {
      bench.peers = await sharePeers({ quietMs: 500 });
      bench.client = await connected();
      bench.client.socket.pause();
      const long = 'i'.repeat(1000);
      for (let sent = 0; sent < 20_000; sent++) {
        bench.client.send({ id: `${long}${sent}`, method: 'unknown' });
        if (sent % 200 === 0) {
          await new Promise(setImmediate);
        }
      }
      await until(() => bench.peers.server.clients.length === 0);
    });

    it('SEC-169: whose agent doesn’t read is told by others at most 1 MiB, at twice as much', async () => {
      await share();
      await settled();
      const taken = deferred<undefined>();
      bench.agent.client.write = () => taken.promise;
      bench.agent.send({ jsonrpc: '2.0', id: 7, method: 'fs/read_text_file', params: {} });
      const other = { openElsewhere: () => 0, heard: () => 0, listChanged: () => 0 };
      bench.peers.sessions.join(other);
      await new Promise(setImmediate);
      for (let count = 0; count < 64; count++) {
        const update = { sessionUpdate: 'session_info_update', title: 'x'.repeat(32 * 1024) };
        bench.peers.sessions.pass(other, listed, update);
      }
      Reflect.deleteProperty(bench.agent.client, 'write');
      taken.resolve(undefined);
      await settled();
      const told = bench.client.updates(listed).length;
      assert.ok(told > 0 && told <= 32, `${told} updates`);
    });
  });
});
