import type { AgentCapabilities, GivenMcpServer } from '../../protocol/agentConnection';
import type {
  ElicitationAnswer,
  ElicitationRequest,
  McpOutcome,
  McpRequest,
} from '../../protocol/agentRequests';
import type { AcpError } from '../../protocol/errors';
import { refusal } from '../../protocol/refusal';
import { Slot } from '../../util/slot';
import type { Agent } from '../agent';
import type { OwnServer } from '../calls/ownTools';
import { getInwardTranslation, getOutwardTranslation } from '../places/remoteFolders';
import type { Opening } from '../ports';
import type { AgentActs } from '../requests/agentActs';
import type { FilesEdit } from '../requests/filesEdit';
import type { OwnRun } from '../requests/ownRun';
import type { PendingRequests } from '../requests/pendingRequests';
import { type ContextSession, getContextSession } from './providedContext';

/** A session that an own server works for. */
export interface ServedSession extends ContextSession {
  /** How this machine writes a path that the agent names. */
  inward(file: string): string;
  /** How the agent's machine writes a path of this one; `undefined` for one that isn't there. */
  outward(file: string): string | undefined;
  /** Whether its agent may read a file without asking the user. */
  canRead(file: string): Promise<boolean>;
  /** Those of these files. */
  readable(files: Iterable<string>): Promise<ReadonlySet<string>>;
  /** Changes files as the agent, once the user or their rules allow it. */
  edit(edit: FilesEdit, signal: AbortSignal): Promise<void>;
  /**
   * Runs something as the agent, once the user or their rules allow it. What `start` is given aborts with `signal`, and
   * when the turn is stopped, the session is closed or its agent is lost.
   */
  run<T>(what: OwnRun, start: (stop: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Asks the user by a form. */
  ask(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
}

/** What own servers are told of a session. */
export function getServedSession(session: {
  readonly agent: Pick<Agent, 'id' | 'config'>;
  readonly info: { readonly sessionId: string; readonly cwd: string };
  readonly acts: Pick<AgentActs, 'reach' | 'readable' | 'edit' | 'run'>;
  readonly requests: Pick<PendingRequests, 'elicit'>;
}): ServedSession {
  const { acts, agent } = session;
  return {
    ...getContextSession(session),
    inward: getInwardTranslation(agent.config),
    outward: getOutwardTranslation(agent.config),
    canRead: async (file) => (await acts.readable([file])).has(file),
    readable: (files) => acts.readable(files),
    edit: (edit, signal) => acts.edit(edit, signal),
    run: (what, start, signal) => acts.run(what, start, signal),
    ask: (request, signal) => session.requests.elicit(request, signal),
  };
}

/** A server for one session: an agent connects to it while it opens the session, before that has an id. */
export interface ServerOffer {
  readonly server: GivenMcpServer;
  /** The names of the session's other servers. */
  readonly others: readonly string[];
  /** Whether the agent has asked which tools there are; agents overlook a server whose name their own configuration has. */
  isConnected(): boolean;
  /** The agent has opened the session. */
  opened(session: ServedSession): void;
  /** The session isn't open any more: the server answers it nothing. */
  withdraw(): void;
}

/** MCP servers of this extension. */
export interface OwnServers {
  /** `taken`: the names of the other servers. `undefined` if there is nothing for this agent. */
  offer(to: {
    readonly agentId: string;
    readonly capabilities: AgentCapabilities;
    readonly taken: readonly string[];
    /** As the agent reports it. */
    readonly agentName?: string | undefined;
    /** The agent is on another machine, and reaches nothing of this one but by its connection. */
    readonly isElsewhere?: boolean;
  }): Promise<ServerOffer | undefined>;
  /** Answers an agent's request to a server of type `acp`; rejects if this agent has no such server now. */
  answer(agentId: string, request: McpRequest, signal: AbortSignal): Promise<McpOutcome>;
}

/** The agent has no server of ours with this id. */
export function serverNotFound(): AcpError {
  return refusal('serverNotFound', 'The agent asks a server that it has not, or not any more');
}

/** Whether an agent may use our own servers: one on another machine only where the user says so. */
export function mayUseOwnServers({ config }: Pick<Agent, 'config'>): boolean {
  return config.remote === undefined || config.usesEditorTools === true;
}

/** Answers an agent's request to one of our own servers; rejects also if it may not use them any more. */
export async function askOwnServer(
  servers: OwnServers | undefined,
  agent: Agent,
  request: McpRequest,
  signal: AbortSignal,
): Promise<McpOutcome> {
  if (servers === undefined || !mayUseOwnServers(agent)) {
    throw serverNotFound();
  }
  return servers.answer(agent.id, request, signal);
}

/** The servers that a feature has. A session that is opened before the features are there waits for them. */
export class ProvidedOwnServers extends Slot<OwnServers> implements OwnServers {
  async offer(to: Parameters<OwnServers['offer']>[0]): Promise<ServerOffer | undefined> {
    return (await this.awaited())?.offer(to);
  }

  async answer(...request: Parameters<OwnServers['answer']>): Promise<McpOutcome> {
    const servers = await this.awaited();
    if (servers === undefined) {
      throw serverNotFound();
    }
    return servers.answer(...request);
  }
}

/** An opening, and our own server for it. */
export class SessionOpening implements Opening {
  readonly agentId: string;
  readonly cwd: string;
  #sessionId: string | undefined;
  #isPending = true;
  #offer: ServerOffer | undefined;

  constructor(agentId: string, cwd: string, sessionId: string | undefined) {
    this.agentId = agentId;
    this.cwd = cwd;
    this.#sessionId = sessionId;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get isPending(): boolean {
    return this.#isPending;
  }

  /** Our own server, if the agent has connected to it. */
  get ownServer(): OwnServer | undefined {
    const offer = this.#offer;
    return offer?.isConnected() === true
      ? { name: offer.server.name, others: offer.others }
      : undefined;
  }

  with(offer: ServerOffer | undefined): void {
    this.#offer = offer;
  }

  opened(session: ServedSession): void {
    this.#isPending = false;
    this.#sessionId = session.sessionId;
    this.#offer?.opened(session);
  }

  /** The session isn't open, or not any more. */
  end(): void {
    this.#isPending = false;
    this.#offer?.withdraw();
    this.#offer = undefined;
  }
}
