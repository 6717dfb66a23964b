import { type Deferred, deferred, withTimeout } from '../../util/async';
import { asString, isObject, type JsonObject } from '../../util/json';

/** Milliseconds for all pages together. */
const limitMs = 10_000;
const mostPages = 100;

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
  /** Of the request for a page that waits for its answer. */
  #waiting: { readonly id: number; readonly answer: Deferred<JsonObject> } | undefined;

  constructor(options: SessionLookupOptions) {
    this.#options = options;
  }

  /** Reads pages until one has led to `isFound`; resolves also if the agent doesn't answer in time. */
  async read(cwd: string | undefined, isFound: () => boolean): Promise<void> {
    const { timeoutMs = limitMs } = this.#options;
    const until = Date.now() + timeoutMs;
    let cursor: string | undefined;
    for (let page = 0; page < mostPages && !isFound(); page++) {
      const result = await this.#page({ cwd, cursor }, until - Date.now());
      if (result === undefined) {
        return;
      }
      await this.#options.note(result);
      cursor = asString(result['nextCursor']);
      if (cursor === undefined) {
        return;
      }
    }
  }

  /** Whether the message answers a request of this one, and not of the client. */
  takes(message: JsonObject): boolean {
    const isOwn = this.#waiting?.id === message['id'] && message['method'] === undefined;
    if (isOwn) {
      this.#waiting?.answer.resolve(message);
    }
    return isOwn;
  }

  async #page(params: JsonObject, ms: number): Promise<JsonObject | undefined> {
    const waiting = { id: this.#options.nextId(), answer: deferred<JsonObject>() };
    this.#waiting = waiting;
    const asked = this.#options
      .ask({ jsonrpc: '2.0', id: waiting.id, method: 'session/list', params })
      .then(() => waiting.answer.promise);
    const answer = await withTimeout(asked, ms, () => new Error('no answer')).catch(
      () => undefined,
    );
    this.#waiting = undefined;
    return isObject(answer?.['result']) ? answer['result'] : undefined;
  }
}
