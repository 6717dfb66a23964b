import assert from 'node:assert/strict';
import type { Transport } from '../../../../src/protocol/agentTransport';
import { AcpError } from '../../../../src/protocol/errors';
import { asSessionError, fromRpcError } from '../../../../src/protocol/rpc/rpcErrors';
import { connect, Peer } from '../peer';

describe('errors of an agent', () => {
  const codes: readonly (readonly [number, string])[] = [
    [-32700, 'malformed'],
    [-32600, 'malformed'],
    [-32601, 'unsupported'],
    [-32602, 'invalidParams'],
    [-32603, 'rpc'],
    [-32800, 'cancelled'],
    [-32000, 'authRequired'],
    [-32002, 'gone'],
    [-32022, 'version'],
    [17, 'rpc'],
  ];
  for (const [code, expected] of codes) {
    it(`ER-3, V2-RPC-5: ${code} is ${expected}`, () => {
      const error = fromRpcError({ code, message: 'm', data: { x: 1 } });
      assert.equal(error.code, expected);
      assert.deepEqual(error.facts, { rpcCode: code, data: { x: 1 } });
    });
  }

  it('AUTH-13, T-87: Codex says in the data that the login has ended', () => {
    const codeOf = (codexErrorInfo: unknown, code = -32603): string =>
      fromRpcError({ code, message: 'Internal error', data: { message: 'm', codexErrorInfo } })
        .code;
    assert.equal(codeOf('unauthorized'), 'authRequired');
    assert.equal(codeOf({ httpConnectionFailed: { httpStatusCode: 401 } }), 'authRequired');
    assert.equal(codeOf('unauthorized', -32602), 'invalidParams');
    const others = [
      'usageLimitExceeded',
      { httpConnectionFailed: { httpStatusCode: 500 } },
      { httpConnectionFailed: { httpStatusCode: '401' } },
      ...[
        { httpConnectionFailed: null },
        {},
        null,
        401,
        ['unauthorized'],
        [{ httpStatusCode: 401 }],
      ],
    ];
    for (const other of others) {
      assert.equal(codeOf(other), 'rpc', JSON.stringify(other));
    }
  });

  it('ER-4: the message says what the data says in words', () => {
    const message = (data: unknown): string =>
      fromRpcError({ code: -32603, message: 'Internal error', data }).message;
    assert.equal(message('no disk'), 'Internal error: no disk');
    assert.equal(message({ details: 'no disk' }), 'Internal error: no disk');
    assert.equal(message({ service: 'session' }), 'Internal error');
    assert.equal(message({ details: 'Internal error' }), 'Internal error');
    for (const data of [null, undefined, 5, ['x'], { details: {} }]) {
      assert.equal(message(data), 'Internal error');
    }
    assert.ok(message('x'.repeat(1e6)).length < 1000);
  });

  it('ER-5, T-14: what agents say of a session that is not there becomes gone', () => {
    const gone = [
      { code: -32602, message: 'Invalid params', data: 'Unknown sessionId: nosuch' },
      { code: -32602, message: 'Invalid params: session not found: nosuch' },
      {
        code: -32603,
        message: 'Internal error',
        data: { details: 'Invalid session identifier "x".' },
      },
      { code: -32603, message: 'Session x does not exist' },
      { code: -32002, message: 'Resource not found' },
    ];
    for (const error of gone) {
      assert.equal(asSessionError(fromRpcError(error)).code, 'gone', JSON.stringify(error));
    }
  });

  it('T-60: what agents say of a session that is open elsewhere becomes held, whatever their code', () => {
    const held = [
      { code: -32602, message: 'Session 0f50cd8a-936c is already loaded' },
      {
        code: -32600,
        message:
          'Invalid request: This session is in use by another client (the app, the CLI or an extension).',
      },
      { code: -32603, message: 'Session is active in another process (PID 4711)' },
      {
        code: -32603,
        message: 'Internal error',
        data: 'session s1: Already open in another process',
      },
      { code: -32002, message: 'Session not available: it is locked by another process' },
      { code: -32000 - 77, message: 'Another instance is using this session' },
      {
        code: -32603,
        message: 'Internal error',
        data: { details: 'conversation is currently in use' },
      },
    ];
    for (const error of held) {
      assert.equal(asSessionError(fromRpcError(error)).code, 'held', JSON.stringify(error));
    }
    const others = [
      { code: -32002, message: 'Session is not open' },
      { code: -32603, message: 'Session s1 is no longer active' },
      { code: -32602, message: 'Session not found in another process' },
      { code: -32603, message: 'The disk is in use' },
      { code: -32603, message: 'Failed to open session file' },
      { code: -32000, message: 'Another client is using this session: sign in' },
    ];
    for (const error of others) {
      assert.notEqual(asSessionError(fromRpcError(error)).code, 'held', JSON.stringify(error));
    }
  });

  it('ER-5: other failures stay what they are', () => {
    assert.equal(
      asSessionError(fromRpcError({ code: -32603, message: 'session: disk full' })).code,
      'rpc',
    );
    assert.equal(
      asSessionError(fromRpcError({ code: -32000, message: 'Unknown session' })).code,
      'authRequired',
    );
  });

  it('a message that a transport can’t take fails for the transport’s own reason, also before it has ended', async () => {
    const { client } = new Peer();
    const trouble = new AcpError('exited', 'The proxy is gone', { trouble: 'proxy' });
    const transport: Transport = {
      onData: client.onData,
      onEnd: client.onEnd,
      write: () => Promise.reject(trouble),
      pause: () => client.pause(),
      resume: () => client.resume(),
      close: () => client.close(),
    };
    await assert.rejects(connect(transport), (error: AcpError) => {
      assert.equal(error.code, 'exited');
      assert.equal(error.facts.trouble, 'proxy');
      return true;
    });
  });
});
