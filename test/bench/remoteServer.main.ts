import { type ChildProcessByStdio, spawn } from 'node:child_process';
import {
  createServer as createHttp2,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { WebSocketServer } from 'ws';
import { LineSplitter } from '../../src/protocol/lineSplitter';

/**
 * Serves the agent that its arguments start at a WebSocket (`ws`) or with streamable HTTP (`http`), one process for
 * each connection. Prints its port. A program of its own, so that its work isn't measured as the client's.
 */
const [kind, command = '', ...args] = process.argv.slice(2);

type Agent = ChildProcessByStdio<Writable, Readable, null>;

const agents = new Set<Agent>();
/** What waits in this process before the agent has to wait, too. */
const maxWaiting = 1e6;

const printPort = (address: unknown): boolean =>
  process.stdout.write(`${(address as AddressInfo).port}\n`);

if (kind === 'http') {
  serveHttp();
} else {
  serveWebSockets();
}
// The parent has ended.
process.stdin.on('end', () => {
  for (const agent of agents) {
    agent.kill();
  }
  process.exit();
});
process.stdin.resume();

/** `send` gets each line, and returns whether the agent needn't wait. */
function startAgent(send: (line: string) => boolean): Agent {
  const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  agents.add(agent);
  const lines = new LineSplitter({
    maxBytes: 1e9,
    onLine: (line) => {
      if (!send(line)) {
        agent.stdout.pause();
      }
    },
    onOversize: () => undefined,
  });
  agent.stdout.on('data', (bytes: Buffer) => lines.push(bytes));
  return agent;
}

function serveWebSockets(): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('listening', () => printPort(server.address()));
  server.on('connection', (socket) => {
    const agent = startAgent((line) => {
      socket.send(line);
      return socket.bufferedAmount <= maxWaiting;
    });
    const drained = setInterval(() => {
      if (socket.bufferedAmount < maxWaiting) {
        agent.stdout.resume();
      }
    }, 1);
    socket.on('message', (data) => agent.stdin.write(`${(data as Buffer).toString()}\n`));
    socket.on('close', () => {
      clearInterval(drained);
      agent.kill();
    });
  });
}

function serveHttp(): void {
  const server = createHttp2();
  server.on('session', (session) => {
    /** The stream for the agent's lines: the answer to `initialize`, then the one that was opened last. */
    let target: ServerHttp2Stream | undefined;
    let isFirst = true;
    const agent = startAgent((line) => {
      if (isFirst) {
        isFirst = false;
        target?.respond({ 'acp-connection-id': 'c', 'content-type': 'application/json' });
        target?.end(line);
        return true;
      }
      return target?.write(`data: ${line}\n\n`) ?? true;
    });
    session.on('error', () => undefined);
    session.on('close', () => agent.kill());
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.on('error', () => undefined);
      if (headers[':method'] === 'GET') {
        target = stream;
        stream.respond({ 'content-type': 'text/event-stream' });
        stream.on('drain', () => agent.stdout.resume());
        return;
      }
      const isFirstRequest = headers['acp-connection-id'] === undefined;
      if (isFirstRequest) {
        target = stream;
      }
      let body = '';
      stream.on('data', (bytes: Buffer) => (body += bytes.toString()));
      stream.on('end', () => {
        agent.stdin.write(`${body.trimEnd()}\n`);
        if (!isFirstRequest) {
          stream.respond({ ':status': 202 }, { endStream: true });
        }
      });
    });
  });
  server.listen(0, '127.0.0.1', () => printPort(server.address()));
}
