import assert from 'node:assert/strict';
import type { Raw } from '../peer';
import { SharedBench } from './sharedBench';
import { folder, listed, sharePeers } from './sharedPeers';

describe('between a client and an agent that is shared', () => {
  const bench = SharedBench.ofSuite();
  const { share, connected, codeOf, sentToAgent, settled } = bench;

  describe('sessions that reach beyond the shared folders', () => {
    const reaching: readonly (readonly [string, unknown])[] = [
      ['another folder', ['/elsewhere']],
      ['another folder beside a shared one', [folder, '/elsewhere']],
      ['what is no folder', [folder, 7]],
      ['what is no list of folders', '/elsewhere'],
      ['twice as many folders as one may', Array.from({ length: 200 }, () => folder)],
    ];
    for (const [what, additionalDirectories] of reaching) {
      it(`SEC-160: are neither listed nor used, with ${what}`, async () => {
        const rows = [
          { sessionId: 'wide', cwd: folder, additionalDirectories },
          { sessionId: listed, cwd: folder, additionalDirectories: [folder] },
          { sessionId: 'null', cwd: folder, additionalDirectories: null },
        ];
        await share(1, (peer) => peer.answer('session/list', () => ({ sessions: rows })));
        const { result } = await bench.client.ask('session/list');
        assert.deepEqual(result, { sessions: rows.slice(1) });
        const answer = await bench.client.ask('session/load', { sessionId: 'wide', cwd: folder });
        assert.equal(codeOf(answer), -32602);
        assert.deepEqual(sentToAgent('session/load'), []);
      });
    }
  });

  describe('a session that the agent calls a subagent of a shared one', () => {
    const subagent = { sessionUpdate: 'subagent_update', sessionId: 'child' };
    const cancel = async (): Promise<unknown> => {
      bench.client.send({ method: 'session/cancel', params: { sessionId: 'child' } });
      await settled();
      return sentToAgent('session/cancel').length;
    };
    async function named(list: (message: Raw) => unknown): Promise<void> {
      await share(1, (peer) => peer.answer('session/list', list));
      bench.client.send({ method: 'session/cancel', params: { sessionId: listed } });
      await settled();
      bench.agent.update(listed, subagent);
      await settled();
    }
    const rows = (...more: readonly object[]): Raw => ({
      sessions: [{ sessionId: listed, cwd: folder }, ...more],
    });

    it('is used if the agent lists it nowhere', async () => {
      await named(() => rows());
      bench.agent.update('child', { sessionUpdate: 'agent_message_chunk' });
      assert.equal(await cancel(), 2);
      assert.equal(bench.client.updates('child').length, 1);
      assert.equal(await cancel(), 3);
    });

    it('is used if the agent lists it in a shared folder', async () => {
      await named(() => rows({ sessionId: 'child', cwd: folder }));
      assert.equal(await cancel(), 2);
    });

    it('isn’t used if the agent has listed it elsewhere', async () => {
      await named(() => rows({ sessionId: 'child', cwd: '/elsewhere' }));
      bench.agent.update('child', { sessionUpdate: 'agent_message_chunk' });
      assert.equal(await cancel(), 1);
      assert.deepEqual(bench.client.updates('child'), []);
    });

    it('SEC-160: isn’t used if the agent lists it elsewhere only when it is asked for all', async () => {
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
      bench.agent.update(listed, subagent);
      bench.agent.update('child', { sessionUpdate: 'agent_message_chunk' });
      await settled();
      assert.deepEqual(bench.client.updates('child'), []);
    });

    it('SEC-160: isn’t used while the agent’s list has no end', async () => {
      await named(() => ({ ...rows(), nextCursor: '2' }));
      assert.equal(await cancel(), 1);
    });
  });

  describe('what isn’t known is looked for once', () => {
    it('SEC-160: for a hundred pages, whatever folder is named', async () => {
      await share(1, (peer) =>
        peer.answer('session/list', () => ({ sessions: [], nextCursor: '2' })),
      );
      const answer = await bench.client.ask('session/load', { sessionId: 'unknown', cwd: folder });
      assert.equal(codeOf(answer), -32602);
      assert.equal(sentToAgent('session/list').length, 100);
    });

    it('SEC-160: and for one limit of time', async () => {
      bench.peers = await sharePeers({
        lookupMs: 20,
        answer: (peer) => peer.answer('session/list', () => undefined),
      });
      bench.client = await connected();
      const answer = await bench.client.ask('session/load', { sessionId: 'unknown', cwd: folder });
      assert.equal(codeOf(answer), -32602);
      assert.equal(
        bench.peers.agents[0]?.methods().filter((name) => name === 'session/list').length,
        1,
      );
    });
  });
});
