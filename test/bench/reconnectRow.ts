import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import process from 'node:process';
import { FollowRemotes } from '../../src/features/remote/model/followRemotes';
import { connectWebSocket } from '../../src/features/remote/model/transport/webSocket';
import type { Session } from '../../src/model/session/session';
import { type FakeAgentCommand, fakeAgent } from '../fakeAgent/scenario';
import { modelOf } from './modelRows';
import { startServer } from './remoteRow';
import { median } from './statistics';
import type { TableRow } from './table';

const cwd = process.cwd();
const ids = ['r1', 'r2', 'r3', 'r4', 'r5'];
const updates = 10_000;
const rounds = 5;

function agentOfMany(): FakeAgentCommand {
  return fakeAgent({
    sessions: ids.map((sessionId) => ({ sessionId, cwd, title: sessionId })),
    replays: Object.fromEntries(ids.map((id) => [id, [{ generate: updates }, { result: {} }]])),
  });
}

/** A line to an agent elsewhere that is cut, until all sessions that were open are there again. */
export async function reconnectRow(): Promise<TableRow> {
  const command = agentOfMany();
  const server = startServer('ws', command);
  const line = new Line();
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const url = new URL(`ws://127.0.0.1:${await line.to(Number(port.toString()))}/`);
    const remote = { url: url.href, headers: {}, pathMappings: [] };
    const { agents, sessions } = modelOf(command, () => connectWebSocket({ url }), remote);
    try {
      const [agent] = agents.all;
      if (!agent) {
        throw new Error('No agent');
      }
      await agent.connect();
      const opened = ids.map((sessionId) =>
        sessions.open(agent, { sessionId, cwd, additionalDirectories: [] }),
      );
      const loads: number[] = [];
      const returns: number[] = [];
      for (let round = 0; round < rounds; round++) {
        loads.push(await timeUntilLive(opened, () => opened.map((each) => each.reload())));
        // Each round is the first cut of a line that has held.
        const follow = new FollowRemotes({ agents });
        returns.push(await timeUntilLive(opened, () => line.cut()));
        follow.dispose();
      }
      const [load, back] = [median(loads), median(returns)];
      return {
        what: 'reconnect after a cut, 5 sessions of 10,000 updates open',
        limit: '≤ 1.5 × their loads + 300 ms',
        measured: `${Math.round(back)} ms (loads ${Math.round(load)} ms)`,
        met: back <= 1.5 * load + 300,
      };
    } finally {
      await agents.close();
    }
  } finally {
    line.cut();
    line.end();
    server.stdin.end();
    await once(server, 'exit');
  }
}

/** Milliseconds from doing something that ends them until all sessions have been loaded again. */
async function timeUntilLive(sessions: readonly Session[], act: () => unknown): Promise<number> {
  const returned = sessions.map(
    (session) =>
      new Promise<void>((resolve) => {
        let wasGone = false;
        const listening = session.onDidChange(() => {
          wasGone ||= !session.isLive;
          if (wasGone && session.isLive) {
            listening.dispose();
            resolve();
          }
        });
      }),
  );
  const started = performance.now();
  act();
  await Promise.all(returned);
  return performance.now() - started;
}

/** Hands on bytes between a client and a server, until it is cut. */
class Line {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer();

  async to(port: number): Promise<number> {
    this.#server.on('connection', (near) => {
      const far = connect(port, '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => this.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  end(): void {
    this.#server.close();
  }
}
