import assert from 'node:assert/strict';
import type { AgentAccount } from '../../../../src/protocol/agentRequests';
import { readAuthStatus, readDraftedStatus } from '../../../../src/protocol/shapes/readAccount';
import { connect, Peer, requestsWith } from '../peer';

describe('the account of an agent', () => {
  const read = (authStatus: unknown): unknown => readAuthStatus({ authStatus });

  it('T-89, AUTH-15: is read as Claude and Codex tell it', () => {
    const account = { plan: 'max', email: 'someone@example.org', organization: 'Garden' };
    assert.deepEqual(read({ kind: 'account', label: 'Claude Max', account }), {
      label: 'Claude Max',
      details: ['someone@example.org', 'Garden'],
    });
    const key = { kind: 'api_key', label: 'Anthropic API key', detail: 'ANTHROPIC_API_KEY' };
    assert.deepEqual(read(key), { label: key.label, details: [key.detail] });
    assert.deepEqual(read({ kind: 'none', label: 'Not logged in' }), { details: [] });
  });

  it('AUTH-15: is read as the protocol drafts it', () => {
    const accounts = [{ label: 'Free' }, { label: 'Pro', active: true, email: 'a@example.org' }];
    assert.deepEqual(readDraftedStatus({ state: 'authenticated', accounts }), {
      label: 'Pro',
      details: ['a@example.org'],
    });
    assert.deepEqual(readDraftedStatus({ state: 'unauthenticated' }), { details: [] });
    const many = [...Array<object>(200).fill({}), { label: 'Pro', active: true }];
    for (const params of [
      {},
      null,
      { state: 'unknown' },
      { state: 'authenticated', accounts: many },
    ]) {
      assert.equal(readDraftedStatus(params), undefined);
    }
  });

  it('AUTH-15: is short, and none if it can’t be read', () => {
    const long = 'x'.repeat(1e6);
    const account = { email: long, organization: 5 };
    const told = read({ kind: 'gateway', label: long, detail: ' ', account });
    assert.ok(JSON.stringify(told).length < 10_000);
    for (const status of [
      null,
      'x',
      [],
      {},
      { kind: 5, label: 'x' },
      { kind: 'account', label: '' },
    ]) {
      assert.equal(read(status), undefined, JSON.stringify(status));
    }
    assert.equal(readAuthStatus(undefined), undefined);
  });

  it('AUTH-15, T-35: is told to the window, and to no log', async () => {
    const told: (AgentAccount | undefined)[] = [];
    const peer = new Peer().answer('session/list', () => ({ sessions: [] }));
    const { connection, log } = await connect(peer.client, {
      requests: requestsWith({ accountChanged: (account) => void told.push(account) }),
    });
    const account = { email: 'someone@example.org' };
    const send = (method: string, params: object): void =>
      peer.send({ jsonrpc: '2.0', method, params });
    send('_auth/status_update', { authStatus: { kind: 'account', label: 'Pro', account } });
    send('auth/status_update', { state: 'unauthenticated' });
    send('_auth/status_update', { authStatus: 5 });
    await connection.listSessions({});
    assert.deepEqual(told, [
      { label: 'Pro', details: ['someone@example.org'] },
      { details: [] },
      undefined,
    ]);
    assert.deepEqual(log.lines, []);
  });
});
