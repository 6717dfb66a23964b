import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import process from 'node:process';
import WebSocket from 'ws';
import { connectHttp } from '../../src/features/remote/model/transport/http';
import { connectWebSocket } from '../../src/features/remote/model/transport/webSocket';
import type { Transport } from '../../src/protocol/agentTransport';
import type { FakeAgentCommand } from '../fakeAgent/scenario';
import { replayingAgent, sessionOf } from './agent';
import { drainIntoModel } from './modelRows';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

const cwd = process.cwd();
const sessionId = sessionOf(100_000);
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };
const load = {
  jsonrpc: '2.0',
  id: 2,
  method: 'session/load',
  params: { sessionId, cwd, mcpServers: [] },
};

/** An agent behind a WebSocket, against a bare client that parses each frame. */
export function webSocketRow(): Promise<TableRow> {
  return remoteRow('a WebSocket', 'ws', drainWebSocket, (url) => connectWebSocket({ url }));
}

/** An agent behind streamable HTTP, against a bare client that parses each event. */
export function streamableHttpRow(): Promise<TableRow> {
  return remoteRow('streamable HTTP', 'http', drainHttp, (url) => connectHttp({ url }));
}

async function remoteRow(
  what: string,
  kind: 'ws' | 'http',
  drainBare: (url: URL) => Promise<number>,
  transportTo: (url: URL) => Transport,
): Promise<TableRow> {
  const server = startServer(kind);
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const url = new URL(`${kind}://127.0.0.1:${port.toString().trim()}/`);
    const runs = await interleaved(
      5,
      () => drainBare(url),
      () => drainIntoModel(sessionId, undefined, undefined, () => transportTo(url)),
    );
    const bare = median(runs.a);
    const model = median(runs.b);
    return {
      what: `agent behind ${what} to model, plain Node, 100,000 updates`,
      limit: '≤ 1.4 × floor',
      measured: `${(model / bare).toFixed(2)} × floor (${Math.round(model)} ms, floor ${Math.round(bare)} ms)`,
      met: model <= 1.4 * bare,
    };
  } finally {
    server.stdin.end();
    await once(server, 'exit');
  }
}

/** Serves an agent in a process of its own, which prints its port first. */
export function startServer(
  kind: 'ws' | 'http',
  { command, args, env }: FakeAgentCommand = replayingAgent(cwd),
): ChildProcess & {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
} {
  return spawn(process.execPath, ['out/bench/remoteServer.main.mjs', kind, command, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
}

/** The floor: the least that a client in Node can do. */
async function drainWebSocket(url: URL): Promise<number> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  const answered = (request: { readonly id: number }): Promise<void> =>
    new Promise((resolve) => {
      socket.removeAllListeners('message');
      socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString()) as { id?: unknown };
        if (message.id === request.id) {
          resolve();
        }
      });
      socket.send(JSON.stringify(request));
    });
  await answered(initialize);
  const started = performance.now();
  await answered(load);
  const milliseconds = performance.now() - started;
  socket.close();
  await once(socket, 'close');
  return milliseconds;
}

/** The floor: the least that a client in Node can do. */
async function drainHttp(url: URL): Promise<number> {
  const connection = connect(url.origin);
  try {
    const first = post(connection, initialize, {});
    const [headers] = (await once(first, 'response')) as [Record<string, string>];
    first.resume();
    const own = { 'acp-connection-id': headers['acp-connection-id'] ?? '' };
    await opened(connection, own);
    const started = performance.now();
    const ofSession = { ...own, 'acp-session-id': sessionId };
    const events = await opened(connection, ofSession);
    const answered = answerIn(events, load.id);
    post(connection, load, ofSession).resume();
    await answered;
    return performance.now() - started;
  } finally {
    connection.destroy();
  }
}

function post(
  connection: ClientHttp2Session,
  message: object,
  headers: Readonly<Record<string, string>>,
): ClientHttp2Stream {
  const stream = connection.request({ ':method': 'POST', ':path': '/', ...headers });
  stream.end(JSON.stringify(message));
  return stream;
}

async function opened(
  connection: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
): Promise<ClientHttp2Stream> {
  const stream = connection.request({ ':path': '/', accept: 'text/event-stream', ...headers });
  stream.on('error', () => undefined);
  await once(stream, 'response');
  return stream;
}

function answerIn(events: ClientHttp2Stream, id: number): Promise<void> {
  return new Promise((resolve) => {
    let rest = '';
    events.setEncoding('utf8');
    events.on('data', (text: string) => {
      const whole = (rest + text).split('\n\n');
      rest = whole.pop() ?? '';
      for (const event of whole) {
        const message = JSON.parse(event.slice('data: '.length)) as { id?: unknown };
        if (message.id === id) {
          resolve();
        }
      }
    });
  });
}
