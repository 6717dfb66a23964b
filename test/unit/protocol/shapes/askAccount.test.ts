import assert from 'node:assert/strict';
import type { AgentAccount } from '../../../../src/protocol/agentRequests';
import { TraceRecorder } from '../../../../src/protocol/trace/traceRecorder';
import { getVersions } from '../../../../src/protocol/versions';
import { until } from '../../../support/until';
import { connect, goodInitialize, Peer, type Raw, requestsWith } from '../peer';
import { header, MemoryFile } from '../trace/traceBench';

const email = 'someone@example.org';
const pro = { state: 'authenticated', accounts: [{ label: 'Pro', active: true, email }] };
const asking = goodInitialize({
  agentCapabilities: { auth: { status: {}, logout: {} }, sessionCapabilities: { list: {} } },
  authMethods: [{ id: 'login', name: 'Log in' }],
});

describe('asking an agent for its account', () => {
  let told: (AgentAccount | undefined)[];
  let written: string[];
  beforeEach(() => {
    told = [];
    written = [];
  });

  async function connected(initialize: Raw, status: unknown, before?: (peer: Peer) => void) {
    const peer = new Peer(initialize)
      .answer('auth/status', () => status)
      .answer('authenticate', () => ({}))
      .answer('session/list', () => ({ sessions: [] }))
      .answer('logout', () => ({}))
      .answer('auth/login', () => ({}));
    before?.(peer);
    const file = new MemoryFile();
    const recorder = new TraceRecorder(file, header);
    const seen = await connect(peer.client, {
      versions: getVersions('auto'),
      requests: requestsWith({ accountChanged: (account) => void told.push(account) }),
      traffic: { enabled: true, write: (_, text) => void written.push(text) },
      tap: (...message) => recorder.take(...message),
    });
    const asked = (): number => peer.methods().filter((name) => name === 'auth/status').length;
    const traced = async (): Promise<string> => {
      await recorder.stop();
      return JSON.stringify(file.lines);
    };
    return { ...seen, peer, asked, traced };
  }

  it('AUTH-16: after initialize, a login and a logout', async () => {
    let status: unknown = { state: 'unauthenticated' };
    const { connection, peer, asked } = await connected(asking, undefined, (made) =>
      made.answer('auth/status', () => status),
    );
    await until(() => told.length === 1);
    assert.deepEqual(told, [{ details: [] }]);
    assert.deepEqual(peer.received.find(({ method }) => method === 'auth/status')?.['params'], {});
    status = pro;
    await connection.authenticate('login');
    await until(() => told.length === 2);
    assert.deepEqual(told[1], { label: 'Pro', details: [email] });
    status = { state: 'a state of tomorrow' };
    await connection.logout();
    await until(() => told.length === 3);
    assert.equal(told[2], undefined, 'nobody knows');
    assert.equal(asked(), 3);
  });

  it('AUTH-16, V2-AUTH-7: in version 2, too, and nobody who doesn’t offer it', async () => {
    const second = { protocolVersion: 2, capabilities: { session: {}, auth: { status: {} } } };
    await connected({ ...second, info: { name: 'x', version: '1' } }, pro);
    await until(() => told.length === 1);
    assert.deepEqual(told, [{ label: 'Pro', details: [email] }]);
    const { connection, asked } = await connected(
      goodInitialize({ agentCapabilities: { auth: { status: null, logout: {} } } }),
      pro,
    );
    await connection.logout();
    assert.equal(asked(), 0);
  });

  it('AUTH-16: an answer that says nothing, fails or is hostile takes back nothing', async () => {
    for (const status of [
      null,
      'x',
      { state: 'unknown' },
      { state: 'not_required' },
      { state: 'authenticated', accounts: [5, { label: '' }] },
    ]) {
      const { connection, peer } = await connected(asking, status);
      peer.send({ jsonrpc: '2.0', method: 'auth/status_update', params: pro });
      // All that came before its answer is read.
      await connection.listSessions({});
      assert.ok(peer.methods().includes('auth/status'));
      assert.deepEqual(told, [{ label: 'Pro', details: [email] }], JSON.stringify(status));
      told = [];
    }
    const long = { label: 'x'.repeat(1e4), email: 'y'.repeat(1e4) };
    await connected(asking, { state: 'authenticated', accounts: Array(200).fill(long) });
    await until(() => told.length === 1);
    assert.ok(JSON.stringify(told).length < 10_000);
  });

  it('AUTH-16, T-38: who doesn’t know it after all is asked once, and what it says is in no log', async () => {
    const { connection, asked, log } = await connected(asking, undefined, (peer) =>
      peer.fail('auth/status', { code: -32601, message: `${email} isn’t known` }),
    );
    await until(() => log.lines.length > 0);
    await connection.authenticate('login');
    await connection.logout();
    assert.equal(asked(), 1);
    assert.deepEqual(told, []);
    assert.ok(!log.lines.join().includes(email), log.lines.join());
  });

  it('AUTH-15, T-35, V2-AUTH-8: the account is in no log and no trace', async () => {
    const { traced, log, peer } = await connected(asking, pro);
    peer.send({ jsonrpc: '2.0', method: 'auth/status_update', params: pro });
    await until(() => told.length === 2);
    assert.ok(written.some((text) => text.includes('auth/status')));
    for (const text of [written.join(), log.lines.join(), await traced()]) {
      assert.ok(!text.includes(email) && !text.includes('"Pro"'), text);
    }
  });
});
