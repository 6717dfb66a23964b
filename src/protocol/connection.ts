import path from 'node:path';
import { type Deferred, deferred } from '../util/async';
import { Emitter } from '../util/emitter';
import type {
  AgentCapabilities,
  AgentConnection,
  AgentInfo,
  SessionPage,
  SessionTarget,
  SessionUpdateEvent,
} from './agentConnection';
import { AgentRpc, type RequestHandler, type RequestOptions } from './agentRpc';
import type { ProtocolLog } from './countedLog';
import { AcpError } from './errors';
import {
  type InitializeResult,
  protocolVersion,
  readInitializeResult,
  readSessionPage,
} from './responses';
import { asLoadError } from './rpcErrors';
import type { TrafficLog } from './traffic';
import type { Transport } from './transport/transport';

export interface ConnectOptions {
  /** The extension's version (INIT-4). */
  readonly clientVersion: string;
  readonly log: ProtocolLog;
  readonly traffic?: TrafficLog;
  /**
   * Answers to what the agent asks, by method; everything else gets -32601. A permission request
   * without a handler is answered `cancelled`, which is never a yes (PE-1, PE-7).
   */
  readonly handlers?: Readonly<Record<string, RequestHandler>>;
  /** Milliseconds for `initialize`, default 60,000: an npx that downloads first takes its time (T-33). */
  readonly initializeTimeoutMs?: number;
  /** Milliseconds for everything that a person waits for without seeing progress, default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Bytes that one message may have, default 32 MiB; a larger one is dropped and reported. */
  readonly maxMessageBytes?: number;
  /** Gives up connecting. */
  readonly signal?: AbortSignal;
}

/** Exactly what is handled (INIT-3, INIT-12). */
const clientCapabilities = { session: { notices: {}, compaction: {} } };

const baselineHandlers: Readonly<Record<string, RequestHandler>> = {
  'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
};

/**
 * Initializes the agent at the other end of the transport (INIT-1 to INIT-7). Rejects with `AcpError`
 * and ends the transport when that fails, whatever the reason.
 */
export async function connectAgent(
  transport: Transport,
  options: ConnectOptions,
): Promise<AgentConnection> {
  const events = { update: new Emitter<SessionUpdateEvent>(), closed: new Emitter<AcpError>() };
  const rpc = new AgentRpc(transport, {
    log: options.log,
    traffic: options.traffic,
    maxMessageBytes: options.maxMessageBytes,
    handlers: { ...baselineHandlers, ...options.handlers },
    onUpdate: (event) => events.update.fire(event),
    onClosed: (reason) => events.closed.fire(reason),
  });
  try {
    return new Connection(rpc, events, await initialize(rpc, options), options);
  } catch (error) {
    void rpc.close();
    throw error;
  }
}

async function initialize(rpc: AgentRpc, options: ConnectOptions): Promise<InitializeResult> {
  const params = {
    protocolVersion,
    clientCapabilities,
    clientInfo: { name: 'acp-sessions', title: 'ACP Sessions', version: options.clientVersion },
  };
  const limits = { signal: options.signal, timeoutMs: options.initializeTimeoutMs ?? 60_000 };
  const result = await rpc.request('initialize', params, limits).catch((error: unknown) => {
    throw asInitializeError(error);
  });
  const initialized = readInitializeResult(result);
  if (rpc.failure) {
    // It answered and went: nobody could have been told yet.
    throw rpc.failure;
  }
  return initialized;
}

/** What doesn't know `initialize` is no agent, and nothing that an agent may lack. */
function asInitializeError(error: unknown): unknown {
  return error instanceof AcpError && error.code === 'unsupported'
    ? new AcpError('malformed', error.message, error.facts, { cause: error })
    : error;
}

interface ConnectionEvents {
  readonly update: Emitter<SessionUpdateEvent>;
  readonly closed: Emitter<AcpError>;
}

/** The methods of the protocol, each behind its capability, each with its answer checked. */
class Connection implements AgentConnection {
  readonly info: AgentInfo;
  readonly onUpdate: AgentConnection['onUpdate'];
  readonly onClosed: AgentConnection['onClosed'];
  readonly #rpc: AgentRpc;
  readonly #events: ConnectionEvents;
  readonly #log: ProtocolLog;
  readonly #requestTimeoutMs: number;
  /** Loads that the agent has not answered, by session id. */
  readonly #loads = new Map<string, Set<Deferred<undefined>>>();
  #capabilities: AgentCapabilities;

  constructor(
    rpc: AgentRpc,
    events: ConnectionEvents,
    { info, capabilities }: InitializeResult,
    options: ConnectOptions,
  ) {
    this.#rpc = rpc;
    this.#events = events;
    this.info = info;
    this.#capabilities = capabilities;
    this.#log = options.log;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? 30_000;
    this.onUpdate = events.update.event;
    this.onClosed = events.closed.event;
  }

  get capabilities(): AgentCapabilities {
    return this.#capabilities;
  }

  async listSessions(
    query: { readonly cwd?: string; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<SessionPage> {
    const result = await this.#call('list', 'session/list', query, {
      signal,
      timeoutMs: this.#requestTimeoutMs,
    });
    const { page, skipped } = readSessionPage(result, query.cwd);
    if (skipped > 0) {
      this.#log.warn(`session/list: ${skipped} entries without an id or a folder were left out`);
    }
    return page;
  }

  async loadSession(target: SessionTarget, signal?: AbortSignal): Promise<void> {
    const { sessionId, cwd } = target;
    if (!path.win32.isAbsolute(cwd)) {
      // TR-11. The Windows check takes both kinds of path, and a path is the agent's business.
      throw new AcpError('invalidParams', `The session's folder is not an absolute path: ${cwd}`);
    }
    const roots = this.#additionalDirectories(target);
    const params = { sessionId, cwd, mcpServers: [], ...roots };
    const onAnswered = this.#trackLoad(sessionId);
    try {
      await this.#call('load', 'session/load', params, { signal, onAnswered });
    } catch (error) {
      throw error instanceof AcpError ? asLoadError(error) : error;
    }
  }

  async whenLoadsEnded(sessionId: string): Promise<void> {
    const loads = [...(this.#loads.get(sessionId) ?? [])];
    await Promise.all(loads.map((load) => load.promise));
  }

  async closeSession(sessionId: string): Promise<void> {
    if (!this.#capabilities.close) {
      return;
    }
    const limits = { timeoutMs: this.#requestTimeoutMs };
    try {
      await this.#call('close', 'session/close', { sessionId }, limits);
    } catch (error) {
      this.#log.warn(`session/close: ${String(error)}`);
    }
  }

  close(): Promise<void> {
    return this.#rpc.close();
  }

  dispose(): void {
    this.#events.update.dispose();
    this.#events.closed.dispose();
    void this.close();
  }

  /** A call behind a capability, which a -32601 takes away again for this connection (T-38). */
  async #call(
    capability: keyof AgentCapabilities,
    method: string,
    params: object,
    options: RequestOptions,
  ): Promise<unknown> {
    if (!this.#capabilities[capability]) {
      options.onAnswered?.();
      throw new AcpError('unsupported', `The agent does not offer ${method}`);
    }
    try {
      return await this.#rpc.request(method, params, options);
    } catch (error) {
      if (error instanceof AcpError && error.code === 'unsupported') {
        this.#capabilities = { ...this.#capabilities, [capability]: false };
      }
      throw error;
    }
  }

  /** DIR-1 to DIR-3: only when the agent takes them, absolute, each once, without the cwd itself. */
  #additionalDirectories(target: SessionTarget): { additionalDirectories?: readonly string[] } {
    const roots = new Set(
      target.additionalDirectories.filter((root) => path.win32.isAbsolute(root)),
    );
    roots.delete(target.cwd);
    const wanted = this.#capabilities.additionalDirectories && roots.size > 0;
    return wanted ? { additionalDirectories: [...roots] } : {};
  }

  /** Remembers a load until the returned function is called. */
  #trackLoad(sessionId: string): () => void {
    const load = deferred<undefined>();
    const loads = this.#loads.get(sessionId) ?? new Set();
    this.#loads.set(sessionId, loads.add(load));
    return () => {
      load.resolve(undefined);
      loads.delete(load);
      if (loads.size === 0) {
        this.#loads.delete(sessionId);
      }
    };
  }
}
