import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { Routes } from '../../../../../../src/features/remote/model/transport/routes';
import { heldHeap } from '../../../../../support/heldBytes';
import { until } from '../../../../../support/until';

describe('the sessions that messages belong to', () => {
  const message = (rest: object): Record<string, unknown> => ({ jsonrpc: '2.0', ...rest });
  const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const none = { opened: [], closed: [] };

  it('HTTP-5: are in the requests of either version', () => {
    const routes = new Routes();
    const of = (method: string, params?: object): string | undefined =>
      routes.findSession(message({ id: 1, method, params }));
    for (const method of [
      ...['session/load', 'session/resume', 'session/prompt', 'session/close', 'session/fork'],
      ...['session/set_config_option', 'session/set_mode', 'session/status', 'session/cancel'],
      ...['tool_call/cancel', 'terminal/cancel', 'session/archive', 'session/set_title'],
    ]) {
      assert.equal(of(method, { sessionId: 's' }), 's', method);
    }
    for (const method of [
      'initialize',
      'authenticate',
      'auth/login',
      'auth/logout',
      'session/new',
    ]) {
      assert.equal(of(method, {}), undefined, method);
    }
    assert.equal(of('session/list'), undefined);
  });

  it('HTTP-5: are where the agent has asked, for the answers to its requests', () => {
    const routes = new Routes();
    const asked = message({ id: 'q', method: 'session/request_permission', params: {} });
    assert.deepEqual(routes.received(bytes(asked), 's'), none);
    assert.equal(routes.findSession(message({ id: 'q', result: {} })), 's');
  });

  it('HTTP-5, SDK-16, SEC-154: are noted by ids of bounded size only', async () => {
    const routes = new Routes();
    const before = heldHeap();
    const text = 'x'.repeat(100_000);
    const ids = [(at: number) => [`${at}${text}`], (at: number) => ({ [`${at}${text}`]: at })];
    for (const idOf of [...ids, (at: number) => `${at}${text}`]) {
      for (let at = 0; at < 100; at++) {
        const asked = message({ id: idOf(at), method: 'x' });
        assert.deepEqual(routes.received(bytes(asked), 's'), none);
      }
    }
    await until(() => heldHeap() - before < 4_000_000);
    for (const [id, session] of [
      ['é'.repeat(512), 's'],
      ['é'.repeat(1024), undefined],
      [7, 's'],
    ]) {
      routes.received(bytes(message({ id, method: 'x' })), 's');
      assert.equal(routes.findSession(message({ id, result: {} })), session);
    }
  });

  it('HTTP-5, V2-RPC-1: begin and end with answers, which may be in a batch with others', () => {
    const routes = new Routes();
    routes.sent(message({ id: 1, method: 'session/new', params: {} }));
    routes.sent(message({ id: 2, method: 'session/fork', params: { sessionId: 'a' } }));
    routes.sent(message({ id: 3, method: 'session/close', params: { sessionId: 'b' } }));
    routes.sent(message({ id: 4, method: 'session/resume', params: { sessionId: 'c' } }));
    const update = message({ method: 'session/update', params: { sessionId: 'a', update: {} } });
    assert.deepEqual(routes.received(bytes(update), 'a'), none);
    const batch = [
      update,
      message({ id: 1, result: { sessionId: 'n' } }),
      message({ id: 2, result: { sessionId: 'f' } }),
      message({ id: 3, result: {} }),
      message({ id: 9, result: { sessionId: 'x' } }),
      message({ id: 'q', method: 'elicitation/create', params: {} }),
      ...[7, null, [message({ id: 4, result: {} })]],
    ];
    assert.deepEqual(routes.received(bytes(batch), 'a'), { opened: ['n', 'f'], closed: ['b'] });
    assert.deepEqual(routes.received(bytes(batch), 'a'), none);
    assert.equal(routes.findSession(message({ id: 'q', result: {} })), 'a');
    assert.deepEqual(routes.unanswered('c'), [4]);
  });

  it('are none of what isn’t a message', () => {
    const routes = new Routes();
    for (const text of ['', '[', '[]', '7', 'null', '"x"', '{"id":1}', '[[[]]]']) {
      assert.deepEqual(routes.received(Buffer.from(text), 's'), none, text);
    }
  });
});
