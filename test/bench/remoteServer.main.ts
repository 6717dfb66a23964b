import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { WebSocketServer } from 'ws';
import { LineSplitter } from '../../src/protocol/rpc/lineSplitter';

/**
 * Serves the agent that its arguments start at a WebSocket, one process for each connection. Prints its port. A program
 * of its own, so that its work isn't measured as the client's.
 */
const [command = '', ...args] = process.argv.slice(2);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
const agents = new Set<ChildProcess>();
server.on('listening', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
server.on('connection', (socket) => {
  const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  agents.add(agent);
  const lines = new LineSplitter({
    maxBytes: 1e9,
    onLine: (line) => {
      socket.send(line);
      if (socket.bufferedAmount > 1e6) {
        agent.stdout.pause();
      }
    },
    onOversize: () => undefined,
  });
  agent.stdout.on('data', (bytes: Buffer) => lines.push(bytes));
  const drained = setInterval(() => {
    if (socket.bufferedAmount < 1e6) {
      agent.stdout.resume();
    }
  }, 1);
  socket.on('message', (data) => agent.stdin.write(`${(data as Buffer).toString()}\n`));
  socket.on('close', () => {
    clearInterval(drained);
    agent.kill();
  });
});
// The parent has ended.
process.stdin.on('end', () => {
  for (const agent of agents) {
    agent.kill();
  }
  process.exit();
});
process.stdin.resume();
