import process from 'node:process';
import { type AnswerBody, isObject } from '../../src/demoAgent/wire/message';
import type { ScriptedMessage } from './message';
import type { GeneratedSessions, Json, Scenario } from './scenario';

/** The answers of a well-behaved agent to requests about its sessions. */
export class FakeSessions {
  readonly #scenario: Scenario;
  #rows: readonly Json[];
  #configOptions: readonly Json[];
  #created = 0;

  constructor(scenario: Scenario) {
    const { sessions = [], setup } = scenario;
    this.#scenario = scenario;
    this.#rows = 'count' in sessions ? generateSessions(sessions) : sessions;
    const options = setup?.['configOptions'];
    this.#configOptions = Array.isArray(options) ? (options as readonly Json[]) : [];
  }

  has(sessionId: string): boolean {
    return this.#rows.some((row) => idOf(row) === sessionId);
  }

  /** The id of the session that was created last. */
  get newest(): string {
    return `new-${this.#scenario.ownIds ? `${process.pid}-` : ''}${this.#created}`;
  }

  answer(message: ScriptedMessage): AnswerBody {
    const { method, params, sessionId } = message;
    const setup = this.#scenario.setup ?? {};
    switch (method) {
      case 'session/list':
        return listPage(this.#rows, this.#scenario.pageSize ?? 50, params);
      case 'session/options':
        return { result: setup };
      case 'session/new':
      case 'session/fork':
        this.#created += 1;
        return { result: { sessionId: this.newest, ...setup, ...this.#begin(params) } };
      case 'session/resume':
        return { result: setup };
      case 'session/delete':
        this.#rows = this.#rows.filter((row) => idOf(row) !== sessionId);
        return { result: {} };
      case 'session/set_title':
        this.#change(sessionId, { title: params['title'] ?? null });
        return { result: { title: params['title'] ?? null } };
      case 'session/set_config_option':
        return { result: { configOptions: this.#setOption(params) } };
      case 'session/archive':
      case 'session/unarchive':
        this.#change(sessionId, { archived: method === 'session/archive' });
        return { result: {} };
      case 'session/close':
      case 'session/set_mode':
      case 'session/set_model':
      case 'authenticate':
      case 'logout':
      case 'auth/login':
      case 'auth/logout':
        return { result: {} };
      default:
        return { error: { code: -32601, message: `Method not found: ${method}` } };
    }
  }

  #change(sessionId: string, change: { readonly [key: string]: Json }): void {
    this.#rows = this.#rows.map((row) =>
      isObject(row) && idOf(row) === sessionId ? { ...row, ...change } : row,
    );
  }

  /** The first values of a new session that are offered. */
  #begin({ configOptions }: { readonly [key: string]: Json }): { configOptions?: Json } {
    if (!Array.isArray(configOptions)) {
      return {};
    }
    for (const first of configOptions.filter(isObject)) {
      if (this.#configOptions.some((option) => hasValue(option, first))) {
        this.#setOption(first);
      }
    }
    return { configOptions: this.#configOptions };
  }

  #setOption({ configId, value }: { readonly [key: string]: Json }): readonly Json[] {
    this.#configOptions = this.#configOptions.map((option) =>
      isObject(option) && (option['id'] ?? option['configId']) === configId
        ? { ...option, currentValue: value ?? null }
        : option,
    );
    return this.#configOptions;
  }
}

function hasValue(option: Json, { configId, value }: { readonly [key: string]: Json }): boolean {
  return (
    isObject(option) &&
    (option['id'] ?? option['configId']) === configId &&
    (option['type'] === 'boolean' ? typeof value === 'boolean' : offers(option['options'], value))
  );
}

function offers(options: Json | undefined, value: Json | undefined): boolean {
  return (
    Array.isArray(options) &&
    options.some(
      (one) => isObject(one) && (one['value'] === value || offers(one['options'], value)),
    )
  );
}

function idOf(row: Json): Json | undefined {
  return isObject(row) ? row['sessionId'] : undefined;
}

const newest = Date.UTC(2026, 0, 31, 12);

/** `session-0001` is the newest. */
function generateSessions({ count, cwd }: GeneratedSessions): readonly Json[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(4, '0');
    return {
      sessionId: `session-${number}`,
      cwd,
      title: `Session ${number}`,
      updatedAt: new Date(newest - index * 60_000).toISOString(),
    };
  });
}

/** One page as an outcome: the rows of `cwd`, starting at the cursor. */
function listPage(
  sessions: readonly Json[],
  pageSize: number,
  params: { readonly [key: string]: Json },
): AnswerBody {
  const { cwd, cursor, archived } = params;
  const rows = sessions.filter(
    (row) =>
      (typeof cwd !== 'string' || (isObject(row) && row['cwd'] === cwd)) &&
      (archived === 'include' || !isObject(row) || row['archived'] !== true),
  );
  let start = 0;
  if (typeof cursor === 'string') {
    start = Number(/^after:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? NaN);
    if (Number.isNaN(start)) {
      return { error: { code: -32602, message: 'Invalid cursor' } };
    }
  }
  const end = start + pageSize;
  const page = { sessions: rows.slice(start, end) };
  if (end >= rows.length) {
    return { result: page };
  }
  return { result: { ...page, nextCursor: Buffer.from(`after:${end}`).toString('base64') } };
}
