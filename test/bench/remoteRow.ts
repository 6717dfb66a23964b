import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import WebSocket from 'ws';
import { connectWebSocket } from '../../src/protocol/transport/remote/webSocket';
import { replayingAgent, sessionOf } from './agent';
import { drainIntoModel } from './modelRows';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

const cwd = process.cwd();
const sessionId = sessionOf(100_000);

/** An agent behind a WebSocket, against a bare client that parses each frame. */
export async function webSocketRow(): Promise<TableRow> {
  const server = startServer();
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const url = new URL(`ws://127.0.0.1:${port.toString().trim()}/`);
    const runs = await interleaved(
      5,
      () => drainBare(url),
      () => drainIntoModel(sessionId, undefined, undefined, () => connectWebSocket({ url })),
    );
    const bare = median(runs.a);
    const model = median(runs.b);
    return {
      what: 'agent behind a WebSocket to model, plain Node, 100,000 updates',
      limit: '≤ 1.4 × floor',
      measured: `${(model / bare).toFixed(2)} × floor (${Math.round(model)} ms, floor ${Math.round(bare)} ms)`,
      met: model <= 1.4 * bare,
    };
  } finally {
    server.stdin.end();
    await once(server, 'exit');
  }
}

function startServer(): ChildProcess & {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
} {
  const { command, args, env } = replayingAgent(cwd);
  return spawn(process.execPath, ['out/bench/remoteServer.main.mjs', command, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
}

/** The floor: the least that a client in Node can do. */
async function drainBare(url: URL): Promise<number> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  const answered = (id: number, request: object): Promise<void> =>
    new Promise((resolve) => {
      socket.removeAllListeners('message');
      socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString()) as { id?: unknown };
        if (message.id === id) {
          resolve();
        }
      });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...request }));
    });
  await answered(1, { method: 'initialize', params: { protocolVersion: 1 } });
  const started = performance.now();
  await answered(2, { method: 'session/load', params: { sessionId, cwd, mcpServers: [] } });
  const milliseconds = performance.now() - started;
  socket.close();
  await once(socket, 'close');
  return milliseconds;
}
