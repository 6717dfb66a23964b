import assert from 'node:assert/strict';
import type { AgentConnection } from '../../../../../src/protocol/agentConnection';
import { connect, Peer, type Raw, rejectsWith, target } from '../../peer';
import { able2, connect2, initialize2 } from '../../v2/peer2';

const place = { cwd: '/w', additionalDirectories: [], mcpServers: [] };

const model = {
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue: 'oak',
  options: [
    { value: 'oak', name: 'Oak' },
    { value: 'fern', name: 'Fern' },
  ],
};
const read = {
  ...{ id: 'model', name: 'Model', category: 'model', type: 'select', value: 'oak' },
  groups: [{ choices: model.options }],
};

/** What an agent with this capability is, in each version, with its word for an option's id. */
const versions: readonly (readonly [
  number,
  'id' | 'configId',
  (capability: unknown, requestTimeoutMs?: number) => Promise<[Peer, AgentConnection]>,
])[] = [
  [
    1,
    'id',
    async (options, requestTimeoutMs = 30_000) => {
      const sessionCapabilities = { resume: {}, additionalDirectories: {}, options };
      const agentCapabilities = { loadSession: true, sessionCapabilities };
      const peer = new Peer({ protocolVersion: 1, agentCapabilities });
      return [peer, (await connect(peer.client, { requestTimeoutMs })).connection];
    },
  ],
  [
    2,
    'configId',
    async (options, requestTimeoutMs = 30_000) => {
      const peer = new Peer(initialize2({ ...able2, options }));
      return [peer, (await connect2(peer, { requestTimeoutMs })).connection];
    },
  ],
];

for (const [version, id, begin] of versions) {
  describe(`the options of a session before it exists, version ${version}`, () => {
    const last = (peer: Peer) => peer.received.at(-1)?.['params'] as Raw;

    it('T-140: are asked for with the folders, and read as those of a session', async () => {
      const [peer, connection] = await begin({});
      const number = { ...model, [id]: 'n', type: 'number' };
      peer.answer('session/options', () => ({
        configOptions: [{ ...model, [id]: 'model' }, number],
      }));
      const additionalDirectories = ['/w', '/more'];
      const setup = await connection.newSessionOptions({ cwd: '/w', additionalDirectories });
      assert.deepEqual(last(peer), { cwd: '/w', additionalDirectories: ['/more'] });
      const [first, second] = setup.configOptions ?? [];
      assert.deepEqual(first, read);
      assert.equal(second?.type, 'unknown');
      for (const nothing of [{}, null, { configOptions: null }, { configOptions: 'x' }]) {
        peer.answer('session/options', () => nothing);
        assert.deepEqual(await connection.newSessionOptions(place), {});
      }
      await rejectsWith(connection.newSessionOptions({ ...place, cwd: 'x' }), 'invalidParams');
    });

    it('T-140: are asked of nobody who doesn’t tell them, or says so', async () => {
      for (const capability of [undefined, null, false]) {
        const [peer, connection] = await begin(capability);
        await rejectsWith(connection.newSessionOptions(place), 'unsupported');
        peer.answer('session/new', () => ({ sessionId: 'n' }));
        await connection.newSession({ ...place, options: { model: 'fern' } });
        assert.equal(last(peer)['configOptions'], undefined);
        assert.ok(!peer.received.some(({ method }) => method === 'session/options'));
      }
      const [peer, connection] = await begin({});
      peer.fail('session/options', { code: -32601, message: 'Method not found' });
      await rejectsWith(connection.newSessionOptions(place), 'unsupported');
      assert.equal(connection.capabilities.options, false);
    });

    it('T-140: are not waited for without end, and can be given up', async () => {
      const [peer, connection] = await begin({}, 20);
      peer.answer('session/options', () => undefined);
      await rejectsWith(connection.newSessionOptions(place), 'timeout');
      const [slow, patient] = await begin({});
      slow.answer('session/options', () => undefined);
      const abort = new AbortController();
      const asked = patient.newSessionOptions(place, abort.signal);
      abort.abort();
      await rejectsWith(asked, 'cancelled');
    });

    it('T-140: what was chosen goes with the request for a session, and with no other', async () => {
      const [peer, connection] = await begin({});
      peer.answer('session/new', () => ({ sessionId: 'n' })).answer('session/load', () => ({}));
      peer.answer('session/resume', () => ({}));
      await connection.newSession({ ...place, options: { model: 'fern', web: true } });
      assert.deepEqual(last(peer)['configOptions'], [
        { configId: 'model', value: 'fern', ...(version === 2 && { type: 'id' }) },
        { configId: 'web', type: 'boolean', value: true },
      ]);
      await connection.newSession({ ...place, options: {} });
      assert.equal(last(peer)['configOptions'], undefined);
      await connection.loadSession({ ...target, ...{ options: { model: 'fern' } } });
      assert.equal(last(peer)['configOptions'], undefined);
    });
  });
}
