import { isObject, type JsonObject } from '../../util/json';
import { isSessionId } from '../bounds';

/** Requests that wait for an answer; with more, the oldest are forgotten. */
const most = 2000;

/** Those after whose answer the sessions are different, or whose answer is. */
const watched: ReadonlySet<unknown> = new Set([
  'initialize',
  'session/list',
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
  'session/close',
  'session/delete',
  'session/prompt',
  'session/set_title',
  'session/archive',
  'session/unarchive',
]);

interface SentRequest {
  readonly method?: string;
  readonly sessionId?: string | undefined;
}

/** A client's requests that matter to other clients, until they are answered. */
export class SentRequests {
  readonly #sent = new Map<unknown, SentRequest>();

  /** `prompted`: the session that the client works with from now on. */
  add({ id, method, params }: JsonObject): { readonly prompted?: string | undefined } {
    if (id === undefined || typeof method !== 'string' || !watched.has(method)) {
      return {};
    }
    const sessionId = sessionIdIn(params);
    this.#sent.set(id, { method, sessionId });
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > most) {
      this.#sent.delete(oldest);
    }
    return method === 'session/prompt' ? { prompted: sessionId } : {};
  }

  /** The request that this answers, once. */
  answered(id: unknown): SentRequest {
    const request = this.#sent.get(id) ?? {};
    this.#sent.delete(id);
    return request;
  }
}

/** The id of a session, if it can be one. */
export function sessionIdIn(value: unknown): string | undefined {
  const id = isObject(value) ? value['sessionId'] : undefined;
  return typeof id === 'string' && isSessionId(id) ? id : undefined;
}
