import { randomUUID } from 'node:crypto';
import { type Deferred, deferred, withTimeout } from '../../util/async';
import { asString, isObject, type JsonObject } from '../../util/json';

/** Milliseconds for all pages together. */
const limitMs = 10_000;
const mostPages = 100;

export interface SessionLookupOptions {
  /** Resolves when the agent has taken the message. */
  readonly ask: (request: JsonObject) => Promise<void>;
  /** Notes the sessions of an answer to `session/list`. */
  readonly note: (result: JsonObject) => Promise<unknown>;
  readonly timeoutMs?: number | undefined;
}

/** Reads the list of a shared agent beside its client, which may know a session from another time. */
export class SessionLookup {
  readonly #options: SessionLookupOptions;
  /** No client can guess the id of a request of this one. */
  readonly #id = randomUUID();
  #answer: Deferred<JsonObject> | undefined;

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
    const isOwn = message['id'] === this.#id && message['method'] === undefined;
    if (isOwn) {
      this.#answer?.resolve(message);
    }
    return isOwn;
  }

  async #page(params: JsonObject, ms: number): Promise<JsonObject | undefined> {
    this.#answer = deferred<JsonObject>();
    const asked = this.#options
      .ask({ jsonrpc: '2.0', id: this.#id, method: 'session/list', params })
      .then(() => this.#answer?.promise);
    const answer = await withTimeout(asked, ms, () => new Error('no answer')).catch(
      () => undefined,
    );
    return isObject(answer?.['result']) ? answer['result'] : undefined;
  }
}
