import { getMethods, type Methods, neededBy } from './protocol/methods';
import { type AgentOptions, DemoSessions } from './sessions/demoSessions';
import type { SessionStore } from './store/sessionStore';
import { asRequestError, RequestError, unusable } from './vocabulary/requestErrors';
import { Connection, getLines } from './wire/connection';
import type { AnswerBody, ClientMessage, Json } from './wire/message';

/** An agent that serves a store's sessions to one client, in the highest version that both speak. */
export class DemoAgent {
  readonly #sessions: DemoSessions;
  readonly #connection: Connection;
  readonly #methods: Methods;
  /** What cancels the requests that aren't answered yet, by their id. */
  readonly #pending = new Map<Json, AbortController>();

  /** `write` keeps the order of its calls. */
  constructor(store: SessionStore, options: AgentOptions, write: (text: string) => Promise<void>) {
    this.#sessions = new DemoSessions(store, options);
    this.#connection = new Connection(write, (message) => void this.#handle(message));
    this.#methods = getMethods(this.#sessions, this.#connection);
  }

  /** Serves until the input ends, then closes. */
  async serve(input: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const lines of getLines(input)) {
      lines.forEach((line) => this.#connection.receive(line));
    }
    await this.close();
  }

  /** Cancels all turns and waits until everything is written. */
  close(): Promise<void> {
    return this.#sessions.closeAll();
  }

  async #handle({ id, method, params }: ClientMessage): Promise<void> {
    const cancel = new AbortController();
    if (id !== undefined) {
      this.#pending.set(id, cancel);
    }
    const answer = (outcome: AnswerBody): Promise<void> | undefined =>
      id === undefined ? undefined : this.#connection.answer(id, outcome);
    try {
      await answer({ result: ((await this.#call(method, params, cancel.signal)) ?? {}) as Json });
    } catch (thrown) {
      const { code, message, data } = asRequestError(thrown);
      const error = { code, message, ...(data !== undefined && { data: data as Json }) };
      // Fails only if the connection is closed; then nobody is left to answer.
      await answer({ error })?.catch(() => undefined);
    } finally {
      this.#pending.delete(id ?? null);
    }
  }

  #call(method: string, params: ClientMessage['params'], signal: AbortSignal): unknown {
    if (method === '$/cancel_request') {
      return this.#pending.get(params['requestId'] ?? null)?.abort();
    }
    const handler = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (handler === undefined) {
      throw new RequestError(-32601, `Method not found: ${method}`);
    }
    const missing = neededBy(method).find((name) => typeof params[name] !== 'string');
    if (missing !== undefined) {
      throw unusable(`${missing} must be a text`);
    }
    return handler(params as never, signal);
  }
}
