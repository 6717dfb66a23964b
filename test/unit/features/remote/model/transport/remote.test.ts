import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { createServer as createHttp1 } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import { connect as connectSocket, type Socket } from 'node:net';
import { connectHttp } from '../../../../../../src/features/remote/model/transport/http';
import type { RemoteOptions } from '../../../../../../src/features/remote/model/transport/remoteTransport';
import { connectTcp } from '../../../../../../src/features/remote/model/transport/tcp';
import { connectWebSocket } from '../../../../../../src/features/remote/model/transport/webSocket';
import type { Transport } from '../../../../../../src/protocol/agentTransport';
import { AcpError } from '../../../../../../src/protocol/errors';
import { heldBytes } from '../../../../../support/heldBytes';
import {
  endServers,
  http2Server,
  listening,
  type ServedStream,
  socketServer,
  webSocketServer,
} from '../../../../../support/remoteServers';
import { until } from '../../../../../support/until';
import { connect } from '../../../../protocol/peer';

const open = new Set<Transport>();

afterEach(async () => {
  await Promise.all([...open].map((transport) => transport.close()));
  open.clear();
  await endServers();
});

function own(transport: Transport): Transport {
  open.add(transport);
  return transport;
}

/** Why a transport ends without having been closed. */
async function endOf(transport: Transport, line = initialize): Promise<AcpError> {
  const ended = new Promise<AcpError | undefined>((resolve) =>
    transport.onEnd(({ error }) => resolve(error)),
  );
  own(transport)
    .write(line)
    .catch(() => undefined);
  const error = await ended;
  assert.ok(error instanceof AcpError);
  return error;
}

const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n';
const at = (url: URL, rest: Partial<RemoteOptions> = {}): RemoteOptions => ({ url, ...rest });

async function closedPort(kind: string): Promise<URL> {
  const url = await socketServer(() => undefined, kind);
  await endServers();
  return url;
}

async function http1Server(status: number, headers: Record<string, string> = {}): Promise<URL> {
  const server = createHttp1((_, response) => response.writeHead(status, headers).end('no'));
  return listening(server, 'ws');
}

describe('what a hostile or wrong server does', function () {
  this.timeout(20_000);

  const troubles: readonly (readonly [string, () => Promise<Transport>, string, string])[] = [
    [
      'nothing listens',
      async () => connectWebSocket(at(await closedPort('ws'))),
      'refused',
      'notFound',
    ],
    ['nothing listens', async () => connectTcp(at(await closedPort('tcp'))), 'refused', 'notFound'],
    [
      'nothing listens',
      async () => connectHttp(at(await closedPort('http'))),
      'refused',
      'notFound',
    ],
    [
      '401',
      async () => connectWebSocket(at(await http1Server(401))),
      'unauthorized',
      'authRequired',
    ],
    ['403', async () => connectWebSocket(at(await http1Server(403))), 'forbidden', 'authRequired'],
    ['404', async () => connectWebSocket(at(await http1Server(404))), 'path', 'notFound'],
    ['200', async () => connectWebSocket(at(await http1Server(200))), 'notAcp', 'malformed'],
    [
      'HTTP/1.1',
      async () => connectHttp(at(new URL((await http1Server(200)).href.replace('ws:', 'http:')))),
      'http1',
      'notFound',
    ],
    [
      'an end after the upgrade',
      async () => connectWebSocket(at(await webSocketServer((socket) => socket.close()))),
      'closed',
      'exited',
    ],
    [
      'an end at once',
      async () => connectTcp(at(await socketServer((socket) => socket.end()))),
      'closed',
      'exited',
    ],
    [
      'a certificate of nobody',
      async () =>
        connectWebSocket(
          at(await socketServer((socket) => socket.end('HTTP/1.1 400\r\n\r\n'), 'wss')),
        ),
      'tls',
      'notFound',
    ],
    [
      'silence',
      async () =>
        connectWebSocket(at(await socketServer(() => undefined, 'ws'), { connectMs: 50 })),
      'timeout',
      'timeout',
    ],
  ];
  for (const [what, begin, trouble, code] of troubles) {
    it(`SEC-152: says in words what is wrong: ${what}, ${trouble}`, async () => {
      const error = await endOf(await begin());
      assert.equal(error.facts.trouble, trouble);
      assert.equal(error.code, code);
      assert.match(error.facts.words?.title ?? '', /127\.0\.0\.1/);
    });
  }

  it('SEC-151: follows no redirect, and the token goes nowhere else', async () => {
    let asked = 0;
    const other = createHttp1((_, response) => {
      asked++;
      response.end();
    });
    const location = (await listening(other, 'http')).href;
    const headers = { Authorization: 'Bearer secret-token' };
    for (const begin of [
      async () => connectWebSocket(at(await http1Server(302, { location }), { headers })),
      async () =>
        connectHttp(
          at(
            await http2Server(({ stream }) =>
              stream.respond({ ':status': 307, location }, { endStream: true }),
            ),
            { headers },
          ),
        ),
    ]) {
      const error = await endOf(await begin());
      assert.equal(error.facts.trouble, 'redirect');
      assert.doesNotMatch(error.message, /secret-token/);
    }
    assert.equal(asked, 0);
  });

  it('HTTP-10: ignores binary frames, and takes a frame with line ends as one message', async () => {
    const url = await webSocketServer((socket) => {
      socket.send(Buffer.from('{"binary":1}'), { binary: true });
      socket.send('{\n"text":\r\n1}');
    });
    let received = '';
    const transport = own(connectWebSocket({ url }));
    transport.onData((bytes) => (received += Buffer.from(bytes).toString()));
    await until(() => received.endsWith('\n'));
    assert.deepEqual(JSON.parse(received), { text: 1 });
    assert.equal(received.trimEnd().split('\n').length, 1);
  });

  it('takes ten thousand frames at once, and answers for nobody’s ids, without an end', async () => {
    const url = await webSocketServer((socket) => {
      socket.on('message', (data) => {
        const { id, method } = JSON.parse((data as Buffer).toString()) as {
          id: number;
          method: string;
        };
        for (let other = 0; method === 'initialize' && other < 10_000; other++) {
          socket.send(`{"jsonrpc":"2.0","id":"nobody-${other}","result":{}}`);
        }
        const result = {
          protocolVersion: 1,
          agentCapabilities: { sessionCapabilities: { list: {} } },
        };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, sessions: [] } }));
      });
    });
    const { connection } = await connect(own(connectWebSocket({ url })), { machine: false });
    assert.deepEqual((await connection.listSessions({})).sessions, []);
  });

  it('SDK-16, SEC-154: ends with a message of twice the bound, whichever way it comes', async () => {
    const big = `{"x":"${'y'.repeat(4000)}"}`;
    const overWebSocket = connectWebSocket(
      at(await webSocketServer((socket) => socket.send(big)), { maxFrameBytes: 2000 }),
    );
    assert.equal((await endOf(overWebSocket)).facts.trouble, 'tooLarge');
    const overHttp = connectHttp(
      at(
        await http2Server((request) =>
          answerFirst(request, (stream) => stream.write(`data: ${big}\n\n`)),
        ),
        { maxFrameBytes: 2000 },
      ),
    );
    assert.equal((await endOf(overHttp)).facts.trouble, 'tooLarge');
  });

  it('SDK-16, SEC-154: ends when unfinished messages of many sessions are twice the bound together', async () => {
    const url = await http2Server((request) => {
      const { ':method': method, 'acp-session-id': session } = request.headers;
      if (method === 'POST' && session !== undefined) {
        request.stream.respond({ ':status': 202 }, { endStream: true });
      } else {
        answerFirst(request, (stream) => session && stream.write(`data: ${'y'.repeat(500)}`));
      }
    });
    const transport = connectHttp(at(url, { maxFrameBytes: 2000 }));
    const ended = endOf(transport);
    for (let session = 0; session < 8; session++) {
      const params = `"params":{"sessionId":"s${session}"}`;
      const line = `{"jsonrpc":"2.0","id":${session},"method":"session/load",${params}}\n`;
      await transport.write(line).catch(() => undefined);
    }
    assert.equal((await ended).facts.trouble, 'tooLarge');
  });

  it('SDK-16, SEC-154: ends with a message in more fragments than are counted', async () => {
    const url = await webSocketServer((socket) => {
      for (let sent = 0; sent < 10_000; sent++) {
        socket.send('x', { fin: false });
      }
    });
    assert.equal((await endOf(connectWebSocket({ url }))).facts.trouble, 'tooLarge');
  });

  it('SEC-154: holds only messages while it is paused, and nothing of what came between them', async () => {
    let isThrough = false;
    const url = await webSocketServer((socket) => {
      socket.on('message', () => {
        for (let sent = 0; sent < 300; sent++) {
          socket.send('{}');
          socket.send(Buffer.alloc(60_000), { binary: true });
        }
        socket.on('pong', () => (isThrough = true));
        socket.ping();
      });
    });
    const transport = own(connectWebSocket({ url }));
    let received = '';
    transport.onData((bytes) => (received += Buffer.from(bytes).toString()));
    transport.pause();
    const before = heldBytes();
    await transport.write(initialize);
    await until(() => isThrough);
    await until(() => heldBytes() - before < 4_000_000);
    transport.resume();
    assert.equal(received, '{}\n'.repeat(300));
  });

  it('HTTP-3, SEC-154: returns an affinity cookie, and no more than fifty of any number', async () => {
    const cookies: string[] = [];
    const url = await http2Server((request) => {
      cookies.push(String(request.headers['cookie'] ?? ''));
      const many = Array.from({ length: 100 }, (_, i) => `c${i}=${'v'.repeat(i)}; Path=/`);
      answerFirst(request, () => undefined, { 'set-cookie': many });
    });
    const transport = own(connectHttp({ url }));
    let received = '';
    transport.onData((bytes) => (received += Buffer.from(bytes).toString()));
    await transport.write(initialize);
    await until(() => received.includes('result'));
    assert.equal(cookies[0], '');
    assert.match(cookies[1] ?? '', /^c0=; c1=v; /);
    assert.equal(cookies[1]?.split('; ').length, 50);
  });

  it('HTTP-4, HTTP-5, HTTP-6, HTTP-11: says with each request what it belongs to, and ends the connection', async () => {
    const asked: string[] = [];
    const url = await http2Server((request) => {
      const { ':method': method, 'content-type': type, accept, authorization } = request.headers;
      const ids = [request.headers['acp-connection-id'], request.headers['acp-session-id']];
      asked.push([method, type ?? accept, ...ids, authorization].map(String).join(' '));
      if (method === 'POST' && ids[0] !== undefined) {
        request.stream.respond({ ':status': 202 }, { endStream: true });
      } else {
        answerFirst(request, () => undefined);
      }
    });
    const transport = own(connectHttp({ url, headers: { Authorization: 'T' } }));
    await transport.write(initialize);
    await transport.write('{"jsonrpc":"2.0","id":2,"method":"session/list","params":{}}\n');
    const params = '"params":{"sessionId":"s1"}';
    await transport.write(`{"jsonrpc":"2.0","id":3,"method":"session/load",${params}}\n`);
    await transport.close();
    assert.deepEqual(asked, [
      'POST application/json undefined undefined T',
      'GET text/event-stream c1 undefined T',
      'POST application/json c1 undefined T',
      'GET text/event-stream c1 s1 T',
      'POST application/json c1 s1 T',
      'DELETE undefined c1 undefined T',
    ]);
  });

  it('SEC-154: lets the other side send a megabyte ahead on a stream, and four on all of them together', async () => {
    let session: ServerHttp2Session | undefined;
    const url = await http2Server((request) => {
      session = request.stream.session as ServerHttp2Session;
      answerFirst(request, () => undefined);
    });
    await own(connectHttp({ url })).write(initialize);
    assert.ok(session);
    assert.equal(session.remoteSettings.initialWindowSize, 1024 ** 2);
    // The answer is the first to use some of it.
    const used = 4 * 1024 ** 2 - (session.state.remoteWindowSize ?? 0);
    assert.ok(used >= 0 && used < 1000, `${used} bytes used`);
  });

  it('SEC-154: notices that the other side is gone without a word', async () => {
    const url = await webSocketServer((socket) => {
      socket.send('{}');
      // Reads nothing any more, so it answers no ping.
      socket.pause();
    });
    const error = await endOf(connectWebSocket(at(url, { quietMs: 30 })));
    assert.equal(error.facts.trouble, 'lost');
    assert.equal(error.code, 'exited');
  });

  it('HTTP-8: a line that is cut within a frame is lost, and nothing of the frame is delivered', async () => {
    let inner: Socket | undefined;
    const target = await webSocketServer((socket) => {
      socket.send('{"whole":1}');
      socket.send(`{"cut":"${'x'.repeat(300_000)}"}`);
    });
    // Passes on until the second frame has begun.
    const proxy = await socketServer((outer) => {
      inner = connectSocket(Number(target.port), '127.0.0.1');
      let passed = 0;
      inner.on('data', (bytes) => {
        passed += bytes.length;
        outer.write(bytes.subarray(0, Math.max(0, bytes.length - Math.max(0, passed - 50_000))));
        if (passed > 50_000) {
          outer.destroySoon();
          inner?.destroy();
        }
      });
      inner.on('error', () => undefined);
      outer.on('error', () => undefined);
      outer.on('data', (bytes) => inner?.write(bytes));
      outer.on('close', () => inner?.destroy());
    }, 'ws');
    const transport = connectWebSocket({ url: proxy });
    let received = '';
    transport.onData((bytes) => (received += Buffer.from(bytes).toString()));
    const error = await endOf(transport);
    assert.equal(error.facts.trouble, 'lost');
    assert.equal(received, '{"whole":1}\n');
  });
});

/** Answers `initialize`, and begins the stream of the connection with the function. */
function answerFirst(
  { stream, headers }: ServedStream,
  begin: (stream: ServedStream['stream']) => void,
  more: Record<string, string[]> = {},
): void {
  if (headers[':method'] === 'GET') {
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
    stream.write(':\n\n');
    begin(stream);
  } else if (headers[':method'] === 'DELETE') {
    stream.respond({ ':status': 202 }, { endStream: true });
  } else {
    const ours = { 'acp-connection-id': 'c1', 'content-type': 'application/json' };
    stream.respond({ ':status': 200, ...ours, ...more });
    stream.end('{"jsonrpc":"2.0","id":1,"result":{}}');
  }
}
