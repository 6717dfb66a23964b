import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { asString, isObject, type JsonObject, parseJson } from '../../util/json';
import { boundedId } from '../bounds';
import { pathIn } from '../shapes/normaliseContent';
import { TracedEchoes } from './tracedEchoes';
import { TracedLists } from './tracedLists';
import { shownLines, type TracedLoad, type TracedSession, TracedSessions } from './tracedSessions';
import { TraceError } from './traceError';
import {
  isHeader,
  readTraceLine,
  type TraceLimits,
  type TraceLine,
  traceLimits,
  traceVersion,
} from './traceFormat';
import { getChunks, getLines } from './traceLines';

/** Requests without an answer so far; later ones push the oldest out. */
const maxPending = 10_000;
/** Maximum depth, as deep as a message is written; deeper ones could overflow the stack. */
const maxDepth = 100;
/** Lines of sessions that are put together before others have their turn. */
const linesAtOnce = 20_000;

/** What a trace holds, without its messages, which are read from the file when they are needed. */
export interface Trace {
  /** The version as the agent answered, or as the header says; `undefined` if the trace doesn't have that. */
  readonly protocolVersion: number | undefined;
  readonly pages: readonly (readonly ListedSession[])[];
  /** The lines to replay, by the session's id. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
  /** The line with the answer that has the modes and options, by the session's id. */
  readonly options: ReadonlyMap<string, number>;
  /** Number of lines that couldn't be used. */
  readonly unusable: number;
}

/** A row of the lists of a trace. */
export type ListedSession = Readonly<
  Pick<TracedSession, 'sessionId' | 'title' | 'updatedAt' | 'changedAt' | 'cwd'>
>;

/** Reads an open file; rejects with `TraceError` if it isn't a trace, and when `signal` aborts. */
export async function readTrace(
  file: Pick<FileHandle, 'read'>,
  signal: AbortSignal,
  limits: TraceLimits = traceLimits,
): Promise<Trace> {
  const reader = new TraceReader();
  for await (const lines of getLines(getChunks(file, limits.bytes), limits.lineBytes)) {
    signal.throwIfAborted();
    for (const line of lines) {
      reader.take(line);
      if (reader.lines > limits.lines) {
        throw new TraceError('tooLong');
      }
    }
  }
  return reader.end(signal);
}

/** A request of the client that has no answer yet: what to do with it. Holds none of the request's params. */
type Pending = (answer: JsonObject, line: number) => void;

class TraceReader {
  readonly #sessions = new TracedSessions();
  readonly #lists = new TracedLists();
  readonly #pending = new Map<string, Pending>();
  /** The loads of this connection that have no answer, with their sessions. */
  readonly #loading = new Map<TracedLoad, TracedSession>();
  /** Lines with prompts that aren't shown: those that the agent hasn't taken, or has sent back with an id (V2-TURN-7). */
  readonly #untaken = new Set<number>();
  readonly #echoes = new TracedEchoes();
  #began = NaN;
  #protocolVersion: number | undefined;
  #lines = 0;
  #messages = 0;
  #unusable = 0;

  get lines(): number {
    return this.#lines;
  }

  take(line: string | undefined): void {
    const number = this.#lines++;
    if (number === 0 && this.#takeHeader(line)) {
      return;
    }
    if (line?.trim() === '') {
      return;
    }
    const read = line === undefined ? undefined : readTraceLine(line);
    if (read === undefined) {
      this.#unusable++;
    } else if (read.kind === 'note') {
      this.#connect();
    } else {
      this.#messages++;
      this.#takeMessage(read, number);
    }
  }

  /** Goes on after each slice once others have had their turn; rejects when `signal` aborts. */
  async end(signal: AbortSignal): Promise<Trace> {
    if (this.#lines === 0) {
      throw new TraceError('notATrace');
    }
    if (this.#messages === 0) {
      throw new TraceError('empty');
    }
    const pages = this.#lists.pages;
    const listed = new Set(pages.flat());
    const lines = new Map<string, readonly number[]>();
    const options = new Map<string, number>();
    const others: TracedSession[] = [];
    let left = linesAtOnce;
    for (const session of this.#sessions.all) {
      left -= session.lines.length + session.loads.length + 1;
      if (left < 0) {
        left = linesAtOnce;
        await setImmediate();
        signal.throwIfAborted();
      }
      if (session.lines.length > 0 || session.isOpened) {
        const shown = shownLines(session).filter((line) => !this.#untaken.has(line));
        lines.set(session.sessionId, shown);
        if (session.options !== undefined) {
          options.set(session.sessionId, session.options);
        }
        if (!listed.has(session) && (session.isOpened || session.parent === undefined)) {
          others.push(session);
        }
      }
    }
    others.sort((a, b) => (b.lines.at(-1) ?? 0) - (a.lines.at(-1) ?? 0));
    const [first = [], ...rest] = pages;
    return {
      protocolVersion: this.#protocolVersion,
      pages: [[...others, ...first], ...rest],
      lines,
      options,
      unusable: this.#unusable,
    };
  }

  /** Whether the first line is a header; a trace without one begins with a message. */
  #takeHeader(line: string | undefined): boolean {
    const header = parseJson(line);
    if (!isHeader(header)) {
      if (line === undefined || readTraceLine(line) === undefined) {
        throw new TraceError('notATrace');
      }
      return false;
    }
    const { version, began, from, protocol } = header;
    if (version !== traceVersion) {
      throw new TraceError(
        typeof version === 'number' && version > traceVersion ? 'newer' : 'notATrace',
      );
    }
    this.#began = Date.parse(asString(began) ?? '');
    this.#protocolVersion = from === 'middle' ? asVersion(protocol) : undefined;
    return true;
  }

  /** Another connection begins: what the one before hasn't answered has no answer. */
  #connect(): void {
    this.#pending.clear();
    for (const [load, { lines }] of this.#loading) {
      load.to = lines.length;
    }
    this.#loading.clear();
  }

  #takeMessage(
    { direction, message, ms }: Extract<TraceLine, { kind: 'message' }>,
    line: number,
  ): void {
    const { method, id, params } = message;
    if (direction === 'toAgent') {
      if (typeof method === 'string') {
        this.#takeRequest(method, id, isObject(params) ? params : {}, line);
      }
    } else if (method === undefined) {
      const key = getKey(id);
      const pending = this.#pending.get(key);
      this.#pending.delete(key);
      pending?.(message, line);
    } else if (method === 'session/update' && isObject(params)) {
      this.#takeUpdate(params, line, ms);
    }
  }

  #takeUpdate(params: JsonObject, line: number, ms: number): void {
    const { update } = params;
    const session = this.#sessions.of(params['sessionId']);
    if (session === undefined || !isObject(update) || nestsDeeper(update, maxDepth)) {
      this.#unusable++;
      return;
    }
    const prompt = this.#echoes.userMessage(session.sessionId, update);
    if (prompt !== undefined) {
      this.#untaken.add(prompt);
    }
    if (update['sessionUpdate'] === 'state_update') {
      // A trace without its beginning and header: only version 2 has these.
      this.#protocolVersion ??= 2;
    }
    this.#sessions.noteSubagents(session, update);
    if (update['sessionUpdate'] === 'session_info_update') {
      this.#sessions.describe(session, update);
    }
    const time = new Date(this.#began + ms);
    if (!Number.isNaN(time.getTime())) {
      session.changedAt = time.toISOString();
    }
    this.#sessions.add(session, line);
  }

  #takeRequest(method: string, id: unknown, params: JsonObject, line: number): void {
    switch (method) {
      case 'initialize':
        this.#connect();
        this.#await(id, ({ result }) => {
          this.#protocolVersion = isObject(result)
            ? asVersion(result['protocolVersion'])
            : undefined;
        });
        break;
      case 'session/list': {
        const query = { cwd: idIn(params, 'cwd'), cursor: idIn(params, 'cursor') };
        this.#await(id, ({ result }) => this.#lists.add(query, result, this.#sessions));
        break;
      }
      case 'session/new':
      case 'session/fork': {
        const cwd = pathIn(params, 'cwd');
        this.#await(id, ({ result }, answer) => {
          const session = this.#open(isObject(result) ? result['sessionId'] : undefined, cwd);
          noteOptions(session, result, answer);
        });
        break;
      }
      case 'session/set_config_option': {
        const sessionId = idIn(params, 'sessionId') ?? '';
        this.#await(id, ({ result }, answer) => {
          noteOptions(this.#sessions.find(sessionId), result, answer);
        });
        break;
      }
      case 'session/load':
      case 'session/resume':
        this.#takeLoad(method, id, params);
        break;
      case 'session/prompt':
      case '_session/steering':
        this.#takePrompt(method, id, params, line);
        break;
    }
  }

  #takeLoad(method: string, id: unknown, params: JsonObject): void {
    const session = this.#open(params['sessionId'], pathIn(params, 'cwd'));
    if (session === undefined) {
      return;
    }
    const { lines, loads } = session;
    const asksForAll = method === 'session/load' || isObject(params['replayFrom']);
    if (!asksForAll && this.#protocolVersion === 2) {
      // What comes before the answer is no history, but the state of the session (V2-RES-2, V2-RES-3).
      this.#await(id, ({ result }, line) => noteOptions(session, result, line));
      return;
    }
    const load: TracedLoad = { from: lines.length, to: Infinity };
    loads.push(load);
    this.#loading.set(load, session);
    this.#await(id, (answer, line) => {
      this.#loading.delete(load);
      load.to = lines.length;
      load.succeeded = !isObject(answer['error']);
      noteOptions(session, answer['result'], line);
      if (!asksForAll && load.from === load.to) {
        // A resume continues where the session was (RES-4).
        load.isEmpty = true;
      }
    });
  }

  #takePrompt(method: string, id: unknown, params: JsonObject, line: number): void {
    const session = this.#open(params['sessionId']);
    if (session === undefined || nestsDeeper(params['prompt'], maxDepth)) {
      this.#unusable++;
      return;
    }
    this.#sessions.add(session, line);
    this.#await(id, ({ result }, answer) => {
      const { outcome, stopReason, messageId } = isObject(result) ? result : {};
      const isAccepted = stopReason === undefined && typeof messageId === 'string';
      if (outcome === 'failed' || outcome === 'promptRequired') {
        this.#untaken.add(line);
      } else if (isAccepted) {
        if (this.#echoes.accepted(session.sessionId, messageId, line)) {
          this.#untaken.add(line);
        }
      } else if (method === 'session/prompt' && stopReason !== 'end_turn') {
        session.lines.push(answer);
      }
    });
  }

  #open(sessionId: unknown, cwd?: string): TracedSession | undefined {
    const session = this.#sessions.of(sessionId);
    if (session !== undefined) {
      session.isOpened = true;
      if (session.cwd === undefined) {
        this.#sessions.describe(session, { cwd });
      }
    }
    return session;
  }

  #await(id: unknown, answered: Pending): void {
    const key = getKey(id);
    this.#pending.delete(key);
    this.#pending.set(key, answered);
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > maxPending && oldest !== undefined) {
      this.#pending.delete(oldest);
    }
  }
}

function noteOptions(session: TracedSession | undefined, result: unknown, line: number): void {
  const hasAny =
    isObject(result) &&
    (isObject(result['modes']) || isObject(result['models']) || result['configOptions']);
  if (session !== undefined && hasAny && !nestsDeeper(result, maxDepth)) {
    session.options = line;
  }
}

function getKey(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number'
    ? `${typeof id} ${boundedId(`${id}`)}`
    : '';
}

function asVersion(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** What is only compared. */
function idIn(params: JsonObject, key: string): string | undefined {
  const value = asString(params[key]);
  return value === undefined ? undefined : boundedId(value);
}

function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return depth === 0 || Object.values(value).some((member) => nestsDeeper(member, depth - 1));
}
