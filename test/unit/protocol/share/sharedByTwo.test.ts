import assert from 'node:assert/strict';
import { update } from '../../../fakeAgent/scenario';
import { until } from '../../../support/until';
import type { Client, Message } from './client';
import { SharingBench } from './sharingBench';

describe('an agent that is shared', function () {
  this.timeout(20_000);
  const bench = SharingBench.ofSuite();
  const { share, connected } = bench;

  describe('with two clients', () => {
    const live = (message: Message | undefined): unknown =>
      (message?.['_meta'] as { acpSessions?: Message } | undefined)?.acpSessions?.['openElsewhere'];

    it('T-47: tells one what the other has open, in the list and when that changes', async () => {
      await share({ sessions: [{ sessionId: 's1', cwd: bench.folder, _meta: { own: 1 } }] });
      const [one, two] = [await connected(), await connected()];
      const rowOf = async (asking: Client): Promise<Message | undefined> => {
        const { result } = await asking.ask('session/list');
        return (result as { sessions: readonly Message[] }).sessions[0];
      };
      assert.equal(live(await rowOf(two)), undefined);
      await one.ask('session/load', { sessionId: 's1', cwd: bench.folder, mcpServers: [] });
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
      const { result } = await one.ask('session/new', { cwd: bench.folder, mcpServers: [] });
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
