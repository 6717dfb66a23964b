import { type Deferred, deferred, withTimeout } from '../../util/async';
import { asString, isObject, type JsonObject } from '../../util/json';

/** Milliseconds, and pages, of all lists that are read for one message. */
const limitMs = 10_000;
const maxPages = 100;
const methodNotFound = -32601;

export interface SessionLookupOptions {
  /** An id that no other request to the agent has. */
  readonly nextId: () => number;
  /** Resolves when the agent has taken the message. */
  readonly ask: (request: JsonObject) => Promise<void>;
  /** Notes the sessions of an answer to `session/list`. */
  readonly note: (result: JsonObject) => Promise<unknown>;
  readonly timeoutMs?: number | undefined;
}

/** Reads the list of a shared agent beside its client, which may know a session from another time. */
export class SessionLookup {
  readonly #options: SessionLookupOptions;
  /** The request for a page that waits for its answer. */
  #waiting: { readonly id: number; readonly answer: Deferred<JsonObject> } | undefined;

  constructor(options: SessionLookupOptions) {
    this.#options = options;
  }

  /**
   * Reads the lists of these folders, of which `undefined` is all, one after the other until a page has led to
   * `isFound`. Resolves to `read` if it wasn't found and nothing is left to read.
   */
  async read(
    folders: ReadonlySet<string | undefined>,
    isFound: () => boolean,
  ): Promise<'found' | 'read' | 'unread'> {
    const { timeoutMs = limitMs } = this.#options;
    const until = Date.now() + timeoutMs;
    let pages = 0;
    let isWhole = true;
    for (const cwd of folders) {
      let cursor: string | undefined;
      do {
        if (isFound()) {
          return 'found';
        }
        pages += 1;
        const page = pages > maxPages ? 'late' : await this.#page({ cwd, cursor }, until);
        if (page === 'late') {
          return 'unread';
        }
        isWhole &&= page !== 'refused';
        const list = page === 'refused' ? {} : page;
        await this.#options.note(list);
        cursor = asString(list['nextCursor']);
      } while (cursor !== undefined);
    }
    if (isFound()) {
      return 'found';
    }
    return isWhole ? 'read' : 'unread';
  }

  /** Whether the message answers a request of this one, and not of the client. */
  takes(message: JsonObject): boolean {
    const isOwn = this.#waiting?.id === message['id'] && message['method'] === undefined;
    if (isOwn) {
      this.#waiting?.answer.resolve(message);
    }
    return isOwn;
  }

  /** An agent without lists has an empty one. */
  async #page(params: JsonObject, until: number): Promise<JsonObject | 'refused' | 'late'> {
    const waiting = { id: this.#options.nextId(), answer: deferred<JsonObject>() };
    this.#waiting = waiting;
    const asked = this.#options
      .ask({ jsonrpc: '2.0', id: waiting.id, method: 'session/list', params })
      .then(() => waiting.answer.promise);
    const late = (): Error => new Error('no answer');
    const answer = await withTimeout(asked, until - Date.now(), late).catch(() => undefined);
    this.#waiting = undefined;
    if (answer === undefined) {
      return 'late';
    }
    const { result, error } = answer;
    if (isObject(error) && error['code'] === methodNotFound) {
      return {};
    }
    return isObject(result) ? result : 'refused';
  }
}
