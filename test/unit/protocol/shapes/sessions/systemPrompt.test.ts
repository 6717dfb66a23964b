import assert from 'node:assert/strict';
import type { AgentConnection, SystemPrompt } from '../../../../../src/protocol/agentConnection';
import { connect, Peer, type Raw, target } from '../../peer';
import { able2, connect2, initialize2 } from '../../v2/peer2';

const place = { cwd: '/w', additionalDirectories: [], mcpServers: [] };
const append: SystemPrompt = { mode: 'append', text: 'In French.' };
const override: SystemPrompt = { mode: 'override', text: 'Only French.' };
const sent = ({ mode, text }: SystemPrompt) => ({ mode, content: [{ type: 'text', text }] });

/** What an agent with this capability gets, in each version. */
const versions: readonly (readonly [
  number,
  (capability: unknown) => Promise<[Peer, AgentConnection]>,
])[] = [
  [
    1,
    async (systemPrompt) => {
      const sessionCapabilities = { resume: {}, fork: {}, systemPrompt };
      const agentCapabilities = { loadSession: true, sessionCapabilities };
      const peer = new Peer({ protocolVersion: 1, agentCapabilities });
      return [peer, (await connect(peer.client)).connection];
    },
  ],
  [
    2,
    async (systemPrompt) => {
      const peer = new Peer(initialize2({ ...able2, systemPrompt }));
      return [peer, (await connect2(peer)).connection];
    },
  ],
];

for (const [version, begin] of versions) {
  describe(`the system prompt of a session, version ${version}`, () => {
    async function begun(capability: unknown) {
      const [peer, connection] = await begin(capability);
      for (const method of ['session/load', 'session/resume']) {
        peer.answer(method, () => ({}));
      }
      peer.answer('session/new', () => ({ sessionId: 'n' }));
      peer.answer('session/fork', () => ({ sessionId: 'f' }));
      const last = () => (peer.received.at(-1)?.['params'] as Raw)['systemPrompt'];
      return { connection, last };
    }

    it('V2-NEW-4: is sent with each request that opens a session', async () => {
      const { connection, last } = await begun({});
      const systemPrompt = append;
      for (const open of [
        () => connection.newSession({ ...place, systemPrompt }),
        () => connection.loadSession({ ...target, systemPrompt }),
        () => connection.resumeSession({ ...target, systemPrompt }),
        () => connection.forkSession({ ...target, systemPrompt }),
      ]) {
        const setup = await open();
        assert.deepEqual(last(), sent(append));
        assert.deepEqual(setup.systemPrompt, { ...append, isSent: true });
      }
      await connection.newSession(place);
      assert.equal(last(), undefined);
    });

    it('V2-NEW-4: isn’t sent to an agent that doesn’t take it, or not in place of its own', async () => {
      for (const [capability, mode, isSent] of [
        [undefined, append, false],
        [null, append, false],
        [{}, override, false],
        [{ mode: {} }, override, false],
        [{ mode: { override: {} } }, override, true],
        [{ mode: { override: {} } }, append, true],
      ] as const) {
        const { connection, last } = await begun(capability);
        const setup = await connection.newSession({ ...place, systemPrompt: mode });
        assert.deepEqual(last(), isSent ? sent(mode) : undefined);
        assert.equal(setup.systemPrompt?.isSent, isSent);
      }
    });
  });
}
