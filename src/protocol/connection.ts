import { Emitter } from '../util/emitter';
import type { AgentConnection, SessionUpdateEvent } from './agentConnection';
import type { AgentRequests } from './agentRequests';
import { AgentRpc } from './agentRpc';
import type { ProtocolLog } from './countedLog';
import { AcpError } from './errors';
import { LiveConnection } from './liveConnection';
import { type InitializeResult, protocolVersion, readInitializeResult } from './responses';
import { withoutLikelySecrets } from './secretText';
import { serveAgent, unattended } from './serveAgent';
import type { TrafficLog } from './traffic';
import type { Transport } from './transport/transport';

export interface ConnectOptions {
  /** The extension's version (INIT-4). */
  readonly clientVersion: string;
  readonly log: ProtocolLog;
  readonly traffic?: TrafficLog;
  /**
   * Answers what the agent asks. Without it nothing of that is promised to the agent, and a permission
   * request is answered `cancelled`, which is never a yes (PE-1, PE-7).
   */
  readonly requests?: AgentRequests;
  /** The agent's program can be run again in a terminal, to log in (AUTH-8). */
  readonly authTerminal?: boolean;
  /** Milliseconds for `initialize`, default 60,000: an npx that downloads first takes its time (T-33). */
  readonly initializeTimeoutMs?: number;
  /** Milliseconds for a new, resumed or forked session, default 120,000: the agent may start MCP servers for it. */
  readonly setupTimeoutMs?: number;
  /** Milliseconds for everything that a person waits for without seeing progress, default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Bytes that one message may have, default 32 MiB; a larger one is dropped and reported. */
  readonly maxMessageBytes?: number;
  /** Whose errors these are. */
  readonly agentId?: string;
  /** Takes out of what the agent prints what it was given: keys. */
  readonly withoutKeys?: (line: string) => string;
  /** The agent prints something before its first message: this line, cut and without secrets. */
  readonly onNoise?: (line: string) => void;
  /** Gives up connecting. */
  readonly signal?: AbortSignal;
}

/**
 * Initializes the agent at the other end of the transport (INIT-1 to INIT-7). Rejects with `AcpError`
 * and ends the transport when that fails, whatever the reason.
 */
export async function connectAgent(
  transport: Transport,
  options: ConnectOptions,
): Promise<AgentConnection> {
  const { withoutKeys = (line: string) => line } = options;
  const events = {
    update: new Emitter<SessionUpdateEvent>(),
    print: new Emitter<string>(),
    closed: new Emitter<AcpError>(),
  };
  const redact = (line: string): string => withoutLikelySecrets(withoutKeys(line));
  const print = (line: string): void => events.print.fire(withoutKeys(line));
  let noise: string | undefined;
  const rpc = new AgentRpc(transport, {
    agentId: options.agentId,
    log: options.log,
    traffic: options.traffic,
    maxMessageBytes: options.maxMessageBytes,
    handlers: options.requests ? serveAgent(options.requests) : unattended,
    onUpdate: (event) => events.update.fire(event),
    redact,
    onPrint: print,
    onNoise: (line) => {
      noise = redact(line);
      options.onNoise?.(noise);
    },
    onClosed: (reason) => events.closed.fire(reason),
  });
  transport.onSaid?.(print);
  try {
    return new LiveConnection(rpc, events, await initialize(rpc, options), {
      log: options.log,
      setupTimeoutMs: options.setupTimeoutMs ?? 120_000,
      requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    });
  } catch (error) {
    void rpc.close();
    throw withWords(error, transport, noise);
  }
}

async function initialize(rpc: AgentRpc, options: ConnectOptions): Promise<InitializeResult> {
  const params = {
    protocolVersion,
    clientCapabilities: clientCapabilities(options),
    clientInfo: { name: 'acp-sessions', title: 'ACP Sessions', version: options.clientVersion },
  };
  const limits = { signal: options.signal, timeoutMs: options.initializeTimeoutMs ?? 60_000 };
  const result = await rpc.request('initialize', params, limits).catch((error: unknown) => {
    throw asInitializeError(error);
  });
  const initialized = readInitializeResult(result, options.authTerminal ?? false);
  if (rpc.failure) {
    // It answered and went: nobody could have been told yet.
    throw rpc.failure;
  }
  return initialized;
}

/** Exactly what is handled (INIT-3, INIT-11 to INIT-13). */
function clientCapabilities({ requests, authTerminal }: ConnectOptions): object {
  const updates = { notices: {}, compaction: {} };
  return {
    ...(requests && {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {}, url: {} },
    }),
    session: requests ? { configOptions: { boolean: {} }, ...updates } : updates,
    ...(authTerminal && { auth: { terminal: true } }),
    // Without it Claude and Codex leave out what the commands that they run themselves print.
    _meta: { terminal_output: true },
  };
}

/** With what the agent has said instead of an answer. */
function withWords(error: unknown, { said = [] }: Transport, noise: string | undefined): unknown {
  if (!(error instanceof AcpError) || error.code === 'cancelled') {
    return error;
  }
  const facts = { stderr: said, ...error.facts, ...(noise !== undefined && { noise }) };
  const whole = new AcpError(error.code, error.message, facts, { cause: error });
  whole.agentId = error.agentId;
  return whole;
}

/** What doesn't know `initialize` is no agent, and nothing that an agent may lack. */
function asInitializeError(error: unknown): unknown {
  return error instanceof AcpError && error.code === 'unsupported'
    ? new AcpError('malformed', error.message, error.facts, { cause: error })
    : error;
}
