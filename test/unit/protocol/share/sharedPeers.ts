import { AgentServer, type AgentServerOptions } from '../../../../src/protocol/share/agentServer';
import { SharedSessions } from '../../../../src/protocol/share/sharedSessions';
import { ableInitialize, ableInitialize2 } from '../../../fakeAgent/scenario';
import { goodInitialize, Peer, TestLog } from '../peer';
import { Client } from './client';

/** The folder that is shared; there is no other. */
export const folder = '/shared';
/** The session that agents list there, besides one in another folder. */
export const listed = 'in';
export const elsewhere = 'out';

/** An agent that is shared, whose processes are peers in this one. */
export interface SharedPeers {
  readonly server: AgentServer;
  /** The agent's peers of the clients, in the order of their `initialize`. */
  readonly agents: readonly Peer[];
  readonly sessions: SharedSessions;
  readonly log: TestLog;
  readonly client: (authorization?: string) => Client;
}

export interface SharePeersOptions
  extends Partial<Pick<AgentServerOptions, 'mayUse' | 'start' | 'lookupMs' | 'quietMs'>> {
  readonly version?: 1 | 2;
  /** Gives an agent answers beside its own. */
  readonly answer?: ((agent: Peer) => unknown) | undefined;
}

/** Whoever calls this stops the server. */
export async function sharePeers({
  version = 1,
  answer,
  ...options
}: SharePeersOptions = {}): Promise<SharedPeers> {
  const agents: Peer[] = [];
  const [sessions, log] = [new SharedSessions(), new TestLog()];
  const server = await AgentServer.listen({
    ...{ host: '127.0.0.1', sessions, log, delayMs: 0 },
    mayUse: (asked) => Promise.resolve(asked === folder),
    start: () => {
      const own = version === 1 ? ableInitialize : ableInitialize2;
      const agent = new Peer({ ...(goodInitialize(own) as object), protocolVersion: version });
      const rows = [
        { sessionId: listed, cwd: folder },
        { sessionId: elsewhere, cwd: '/elsewhere' },
      ];
      agent.answer('session/list', () => ({ sessions: rows }));
      answer?.(agent);
      agents.push(agent);
      return Promise.resolve(agent.client);
    },
    ...options,
  });
  const token = server.newToken();
  const client = (authorization = `Bearer ${token}`): Client =>
    new Client(server.url, { authorization });
  return { server, agents, sessions, log, client };
}
