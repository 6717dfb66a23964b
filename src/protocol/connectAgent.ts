import { setTimeout as delay } from 'node:timers/promises';
import { linesWithoutSecrets, withoutSecrets } from '../util/secrets/secretText';
import { getBeginning } from '../util/textParts';
import type { AgentConnection } from './agentConnection';
import type { AgentRequests } from './agentRequests';
import type { Transport } from './agentTransport';
import { AcpError } from './errors';
import type { MessageTap } from './messageTap';
import type { ClientOffer, ProtocolVersion, Served } from './protocolVersion';
import { AgentRpc, type PrintSource, type RequestOptions } from './rpc/agentRpc';
import type { ProtocolLog } from './rpc/countedLog';
import type { TrafficLog } from './rpc/traffic';
import { agentNameIn } from './shapes/agentInfo';
import { chosenVersion, type OfferedVersions, onlyVersion1 } from './versions';

export interface ConnectOptions {
  /** The extension's version (INIT-4). */
  readonly clientVersion: string;
  readonly log: ProtocolLog;
  /** The versions that may be spoken, by default version 1 only; see `getVersions`. */
  readonly versions?: OfferedVersions;
  readonly traffic?: TrafficLog;
  /** Gets every message that is logged as traffic. */
  readonly tap?: MessageTap;
  /**
   * Answers the agent's requests. Without it no such capability is advertised, and a permission request is answered
   * `cancelled`, which never allows anything (PE-1, PE-7).
   */
  readonly requests?: AgentRequests;
  /** Whether the agent runs on this machine, whose files and terminals it may then ask for. Default true. */
  readonly machine?: boolean;
  /** The agent's program can be run again in a terminal to log in (AUTH-8). */
  readonly authTerminal?: boolean;
  /** Milliseconds for `initialize`, default 60,000; with a command that fetches the agent first, from then on (T-33). */
  readonly initializeTimeoutMs?: number;
  /** How long and how often that is watched, by default up to half an hour and each three seconds. */
  readonly fetchLimits?: Omit<StartLimits, 'startMs'>;
  /** Milliseconds for a new, resumed or forked session, default 120,000, since the agent may start MCP servers. */
  readonly setupTimeoutMs?: number;
  /** Milliseconds for every other request that the user waits for without seeing progress, default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Bytes of one message, default 32 MiB; a larger one is dropped and reported. */
  readonly maxMessageBytes?: number;
  /** Whether another client that this window shares the agent with has the session open; asked for each listed one. */
  readonly isOpenElsewhere?: (sessionId: string) => boolean;
  /** The agent that errors name. */
  readonly agentId?: string;
  /** Removes what settings and sign-ins hold from what the agent prints and from what is written down of it. */
  readonly withoutHeld?: (line: string) => string;
  /** Called with the line, cut and without secrets, that the agent prints before its first message. */
  readonly onNoise?: (line: string) => void;
  /** Called while the command may still fetch the agent's program: whether it does. */
  readonly onFetching?: (isFetching: boolean) => void;
  /** Called with each line that isn't a message, from the start, without what those hold; bounded in length and rate. */
  readonly onPrint?: (line: string, from: PrintSource) => void;
  /** Aborts connecting. */
  readonly signal?: AbortSignal;
}

/** What is kept of the lines on stdout that aren't messages. */
const maxKeptLines = 50;
const maxKeptLine = 1000;
const usualFetchLimits = { fetchMs: 30 * 60_000, lookMs: 3000 };

/**
 * Initializes the agent at the other end of the transport (INIT-1 to INIT-7). If that fails for any reason, rejects
 * with `AcpError` and ends the transport.
 */
export async function connectAgent(
  transport: Transport,
  options: ConnectOptions,
): Promise<AgentConnection> {
  const { withoutHeld = (line: string) => line } = options;
  const redact = (line: string): string => withoutSecrets(withoutHeld(line));
  const offer = {
    requests: options.requests !== undefined,
    machine: options.machine ?? true,
    authTerminal: options.authTerminal ?? false,
  };
  const { versions = onlyVersion1 } = options;
  const printed = new LastLines();
  let noise: string | undefined;
  let chosen: Chosen | undefined;
  const rpc: AgentRpc = new AgentRpc(transport, {
    agentId: options.agentId,
    log: options.log,
    traffic: options.traffic,
    tap: options.tap,
    maxMessageBytes: options.maxMessageBytes,
    reader: versions[0].reader,
    handlers: versions[0].handlers(options.requests, offer),
    // At once: what follows the answer is in the version that it chooses.
    onInitialized: (result) => {
      chosen = orError(() => chosenVersion(result, versions));
      if ('version' in chosen) {
        speak(rpc, chosen.version, { ...offer, agentName: agentNameIn(result) }, options);
      }
    },
    redact,
    withoutHeld,
    onNoise: (line) => {
      noise = line;
      options.onNoise?.(line);
    },
    onPrint: (line, from) => {
      printed.add(line, from);
      options.onPrint?.(line, from);
    },
  });
  try {
    await initialize(rpc, offer, transport, options);
    if (chosen === undefined || 'error' in chosen) {
      throw chosen?.error ?? new AcpError('malformed', 'The answer to initialize was lost');
    }
    const { version, answer } = chosen;
    printed.end();
    return version.connection(rpc, version.readInitializeResult(answer, offer), {
      log: options.log,
      setupTimeoutMs: options.setupTimeoutMs ?? 120_000,
      requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
      isOpenElsewhere: options.isOpenElsewhere,
      accountChanged: (account) => options.requests?.accountChanged(account),
    });
  } catch (error) {
    void rpc.close();
    const stdout = linesWithoutSecrets(printed.lines, redact);
    throw withWords(error, transport, { noise, stdout });
  }
}

/** Speaks this version from here on. */
function speak(
  rpc: AgentRpc,
  version: ProtocolVersion,
  served: Served,
  { requests, traffic }: ConnectOptions,
): void {
  rpc.speak(version.reader, version.handlers(requests, served));
  if (traffic?.enabled === true) {
    traffic.note?.(`initialized in version ${version.number} of the protocol`);
  }
}

/** The last lines of a start. */
class LastLines {
  #lines: string[] = [];
  #isOver = false;

  get lines(): readonly string[] {
    return this.#lines;
  }

  add(line: string, from: PrintSource): void {
    if (from === 'stdout' && !this.#isOver) {
      this.#lines = [...this.#lines, getBeginning(line, maxKeptLine)].slice(-maxKeptLines);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#lines = [];
  }
}

type Chosen = ReturnType<typeof chosenVersion> | { readonly error: AcpError };

function orError<T>(get: () => T): T | { readonly error: AcpError } {
  try {
    return get();
  } catch (error) {
    if (error instanceof AcpError) {
      return { error };
    }
    throw error;
  }
}

/**
 * Resolves once the agent has answered; `onInitialized` has got the answer by then. One request offers all versions, in
 * what each of them reads of it. An agent that refuses a version that it doesn't know, instead of choosing another one
 * as it should, is asked again in the lowest one (V2-INIT-4).
 */
async function initialize(
  rpc: AgentRpc,
  offer: ClientOffer,
  transport: Transport,
  options: ConnectOptions,
): Promise<void> {
  const { versions = onlyVersion1 } = options;
  const client = { name: 'acp-sessions', title: 'ACP Sessions', version: options.clientVersion };
  const getParams = (offered: readonly ProtocolVersion[]): object => ({
    protocolVersion: offered[0]?.number,
    ...offered.reduce(
      (members, version) => ({ ...members, ...version.initializeParams(client, offer) }),
      {},
    ),
  });
  await inTime(transport, options, async (limits) => {
    try {
      await rpc.request('initialize', getParams(versions), limits);
    } catch (error) {
      const lowest = versions.at(-1);
      if (lowest === undefined || versions.length === 1 || !isRefusal(error)) {
        throw error;
      }
      options.log.info(`${String(error)}; asking again for protocol version ${lowest.number}`);
      await rpc.request('initialize', getParams([lowest]), limits);
    }
  }).catch((error: unknown) => {
    throw asInitializeError(error);
  });
  if (rpc.failure) {
    // The agent answered and exited before anybody could listen.
    throw rpc.failure;
  }
}

/** Whether the agent has answered with an error that may be about the version. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof AcpError && error.facts.rpcCode !== undefined && error.code !== 'authRequired'
  );
}

/** Runs the request with the time that the agent has to answer it. */
async function inTime(
  transport: Transport,
  options: ConnectOptions,
  request: (limits: RequestOptions) => Promise<unknown>,
): Promise<unknown> {
  const { signal, initializeTimeoutMs: startMs = 60_000, onFetching = () => undefined } = options;
  const isFetching = transport.isFetching?.bind(transport);
  if (isFetching === undefined) {
    return request({ signal, timeoutMs: startMs });
  }
  const over = new AbortController();
  const limits = { startMs, ...(options.fetchLimits ?? usualFetchLimits) };
  const tooLong = startTakesTooLong(isFetching, limits, onFetching, over.signal);
  tooLong.catch(() => undefined);
  try {
    return await Promise.race([request({ signal }), tooLong]);
  } finally {
    over.abort();
  }
}

/** Adds to an error what the agent printed instead of an answer. */
function withWords(
  error: unknown,
  { said = [] }: Transport,
  { noise, stdout }: { readonly noise: string | undefined; readonly stdout: readonly string[] },
): unknown {
  if (!(error instanceof AcpError) || error.code === 'cancelled') {
    return error;
  }
  const facts = {
    ...{ stderr: said, ...error.facts },
    ...(stdout.length > 0 && { stdout }),
    ...(noise !== undefined && { noise }),
  };
  const whole = new AcpError(error.code, error.message, facts, { cause: error });
  whole.agentId = error.agentId;
  return whole;
}

/** A program that doesn't know `initialize` is no agent, so the error isn't about a missing capability. */
function asInitializeError(error: unknown): unknown {
  return error instanceof AcpError && error.code === 'unsupported'
    ? new AcpError('malformed', error.message, error.facts, { cause: error })
    : error;
}

interface StartLimits {
  /** Milliseconds for the agent's own start. */
  readonly startMs: number;
  /** Milliseconds in all, however long the program is fetched. */
  readonly fetchMs: number;
  /** Milliseconds between two looks at whether it is still fetched. */
  readonly lookMs: number;
}

/**
 * Rejects once a start that fetches its program first has taken too long: the time for the agent's own start begins
 * when nothing is fetched any more. Never resolves; ends with `signal`.
 */
export async function startTakesTooLong(
  isFetching: () => Promise<boolean>,
  { startMs, fetchMs, lookMs }: StartLimits,
  onFetching: (isFetching: boolean) => void,
  signal: AbortSignal,
): Promise<never> {
  const began = performance.now();
  let fetchedUntil = began;
  for (;;) {
    await delay(lookMs, undefined, { signal });
    const fetches = await isFetching();
    signal.throwIfAborted();
    const now = performance.now();
    fetchedUntil = fetches ? now : fetchedUntil;
    onFetching(fetches);
    if (now - fetchedUntil > startMs || now - began > fetchMs) {
      const times = `${Math.round(now - began)} ms, of which ${Math.round(fetchedUntil - began)} ms to fetch it`;
      throw new AcpError('timeout', `No answer to initialize within ${times}`);
    }
  }
}
