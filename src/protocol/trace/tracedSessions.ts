import { asArray, asString, isObject, type JsonObject } from '../../util/json';
import { boundedTitle, isPathLength, isSessionId } from '../bounds';

const maxSessions = 10_000;
/** Subagents of subagents: agents allow a few. */
const maxParents = 20;

/** A replay of the history that the client asked for. */
export interface TracedLoad {
  /** The lines of the session from `from` to before `to` came before the answer. */
  readonly from: number;
  to: number;
  /** `undefined`: the trace has no answer. */
  succeeded?: boolean;
  /** Whether it brought nothing: the session continued where it was. */
  isEmpty?: true;
}

/** What a trace says about a session. */
export interface TracedSession {
  readonly sessionId: string;
  title?: string;
  updatedAt?: string;
  /** When its last update came, if the trace says that. */
  changedAt?: string;
  /** The folder in which it was recorded. Only shown. */
  cwd?: string;
  /** Numbers of the lines with its updates, those of its subagents, and its prompts, in order. */
  readonly lines: number[];
  readonly loads: TracedLoad[];
  /** The line with the last answer that has its modes or options. */
  options?: number;
  /** The client has opened it, or prompted it. */
  isOpened: boolean;
  /** The session that has started this one as a subagent. */
  parent?: TracedSession;
}

/** The sessions that a trace names, by their ids. */
export class TracedSessions {
  readonly #all = new Map<string, TracedSession>();

  get all(): Iterable<TracedSession> {
    return this.#all.values();
  }

  find(sessionId: string): TracedSession | undefined {
    return this.#all.get(sessionId);
  }

  /** The session with this id, a new one if there is room; `undefined` if there isn't, or it is no id. */
  of(sessionId: unknown): TracedSession | undefined {
    if (typeof sessionId !== 'string' || !isSessionId(sessionId)) {
      return undefined;
    }
    let session = this.#all.get(sessionId);
    if (session === undefined && this.#all.size < maxSessions) {
      session = { sessionId, lines: [], loads: [], isOpened: false };
      this.#all.set(sessionId, session);
    }
    return session;
  }

  /** Takes what a row of a list or an update says of a session. */
  describe(session: TracedSession, facts: JsonObject): void {
    const title = asString(facts['title']);
    const updatedAt = asString(facts['updatedAt']);
    const cwd = asString(facts['cwd']);
    if (title !== undefined) {
      session.title = boundedTitle(title);
    }
    if (updatedAt !== undefined) {
      session.updatedAt = boundedTitle(updatedAt);
    }
    if (cwd !== undefined && isPathLength(cwd)) {
      session.cwd = cwd;
    }
  }

  /** Adds a line to a session, and to the one that it belongs to as a subagent. */
  add(session: TracedSession, line: number): void {
    session.lines.push(line);
    const root = findRoot(session);
    if (root !== undefined) {
      root.lines.push(line);
    }
  }

  /** Notes the subagents that an update names. */
  noteSubagents(session: TracedSession, update: JsonObject): void {
    for (const id of subagentsIn(update)) {
      const child = this.of(id);
      if (child !== undefined && child !== session && findRoot(session) !== child) {
        child.parent ??= session;
      }
    }
  }
}

function findRoot(session: TracedSession): TracedSession | undefined {
  let root = session.parent;
  for (let depth = 0; root?.parent !== undefined && depth < maxParents; depth++) {
    root = root.parent;
  }
  return root;
}

/** The ids of subagents that an update names, in each of the ways in which agents report them (SUB-1, SUB-4). */
function subagentsIn(update: JsonObject): readonly unknown[] {
  switch (update['sessionUpdate']) {
    case 'subagent_update':
      return [update['sessionId']];
    case 'subagent_spawned':
    case 'subagent_state_update':
      return [update['subagentSessionId']];
    case 'tool_call':
    case 'tool_call_update':
      return asArray(update['content']).flatMap((item) =>
        isObject(item) && item['type'] === 'session' ? [item['sessionId']] : [],
      );
    default:
      return [];
  }
}

/**
 * The lines that show a session as it was at the end of the trace: its last load that succeeded, and what came later.
 * Loads that failed, or were broken off, count only if there is no other.
 */
export function shownLines({ lines, loads }: TracedSession): readonly number[] {
  const counted = loads.filter(({ isEmpty }) => !isEmpty);
  const last = counted.findLast(({ succeeded }) => succeeded === true) ?? counted.at(-1);
  const from = last?.from ?? 0;
  const failed = counted.filter((load) => load !== last && load.from >= from && !load.succeeded);
  // They begin in their order, so each is looked at once.
  let begun = 0;
  let hiddenTo = from;
  return lines.filter((_, at) => {
    for (let load = failed[begun]; load !== undefined && load.from <= at; load = failed[++begun]) {
      hiddenTo = Math.max(hiddenTo, load.to);
    }
    return at >= hiddenTo;
  });
}
