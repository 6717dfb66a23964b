import { Buffer } from 'node:buffer';
import { isRequestId } from '../../../../protocol/requestId';
import { asString, isObject, type JsonObject, parseJson } from '../../../../util/json';
import { beginsWith } from './eventSplitter';

/** Maximum number of an agent's requests that wait for an answer; more are forgotten, oldest first. */
const maxAskedRequests = 2000;
/** Bytes of a message that show whether it is an update, whose members don't matter here. */
const headBytes = 64;
const update = '"method":"session/update"';
const bracket = 0x5b;
const usualUpdate = Buffer.from(`{"jsonrpc":"2.0",${update},`);

/** Whether a message begins as updates usually do, which matter to no `Routes`. */
export function isUpdate(bytes: Buffer, from: number): boolean {
  return beginsWith(bytes, from, usualUpdate);
}

/** The sessions that begin and end with a message. */
interface SessionChanges {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
}

const noChanges: SessionChanges = { opened: [], closed: [] };

/** Knows which messages belong to which session, as streamable HTTP needs to be told (HTTP-5). */
export class Routes {
  /** The sessions of the agent's requests, by id; of one whose id may not be kept, the answer is sent to none. */
  readonly #asked = new Map<unknown, string>();
  /** The sessions of our requests, by id. */
  readonly #sent = new Map<unknown, string>();
  /** Our requests whose answer names a new session. */
  readonly #creating = new Set<unknown>();
  /** Our requests after whose answer the session is closed. */
  readonly #closing = new Map<unknown, string>();

  /** The session that one of our messages belongs to. */
  findSession(message: JsonObject): string | undefined {
    const { method, id, params } = message;
    return method === undefined
      ? this.#asked.get(id)
      : isObject(params)
        ? asString(params['sessionId'])
        : undefined;
  }

  /** Notes a message of ours. */
  sent(message: JsonObject): void {
    const { method, id } = message;
    if (method === undefined) {
      this.#asked.delete(id);
      return;
    }
    if (id === undefined) {
      return;
    }
    const session = this.findSession(message);
    if (session !== undefined) {
      this.#sent.set(id, session);
    }
    if (method === 'session/new' || method === 'session/fork') {
      this.#creating.add(id);
    } else if (
      session !== undefined &&
      (method === 'session/close' || method === 'session/delete')
    ) {
      this.#closing.set(id, session);
    }
  }

  /** Notes a message of the agent, or a batch of them (V2-RPC-1), with the sessions that begin and end with it. */
  received(data: Buffer, session: string | undefined): SessionChanges {
    // Nearly all messages are updates, and each is parsed elsewhere.
    if (data[0] !== bracket && data.toString('latin1', 0, headBytes).includes(update)) {
      return noChanges;
    }
    const value = parseJson(data.toString('utf8'));
    const changes = { opened: [], closed: [] };
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      this.#received(message, session, changes);
    }
    return changes;
  }

  #received(
    message: unknown,
    session: string | undefined,
    { opened, closed }: { readonly opened: string[]; readonly closed: string[] },
  ): void {
    const id = isObject(message) ? message['id'] : undefined;
    if (!isObject(message) || id === undefined) {
      return;
    }
    if (message['method'] !== undefined) {
      this.#noteRequest(id, session);
      return;
    }
    this.#sent.delete(id);
    const closing = this.#closing.get(id);
    this.#closing.delete(id);
    if (closing !== undefined) {
      closed.push(closing);
    }
    const { result } = message;
    const created =
      this.#creating.delete(id) && isObject(result) ? asString(result['sessionId']) : undefined;
    if (created !== undefined) {
      opened.push(created);
    }
  }

  /** Our requests to a session that have no answer. They are forgotten. */
  unanswered(session: string): readonly unknown[] {
    const ids = [...this.#sent].flatMap(([id, own]) => (own === session ? [id] : []));
    for (const id of ids) {
      this.#sent.delete(id);
    }
    return ids;
  }

  #noteRequest(id: unknown, session: string | undefined): void {
    if (session !== undefined && isRequestId(id)) {
      this.#asked.set(id, session);
      const [oldest] = this.#asked.keys();
      if (this.#asked.size > maxAskedRequests) {
        this.#asked.delete(oldest);
      }
    }
  }
}
