import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServedSession } from '../../../model/session/ownServers';
import { deferred, withTimeout } from '../../../util/async';
import { Emitter } from '../../../util/emitter';
import { ToolRefusal } from './tool';

const maxCalls = 8;
const bindingMs = 10_000;

/** How an agent reaches the tools: over HTTP, by a program that it starts and that does so, or by its own connection. */
export type ToolsWay = 'http' | 'program' | 'acp';

/** What one token is good for: the calls of one session. */
export class Offer {
  readonly token = randomBytes(32).toString('base64url');
  way: ToolsWay = 'http';
  readonly #changed = new Emitter<void>();
  /** Fires when the agent has asked for the tools, or used one. */
  readonly onDidChange = this.#changed.event;
  readonly #used = new Map<string, number>();
  #listed: readonly string[] | undefined;
  /** The names of tools that this agent doesn't get. */
  without: readonly string[] = [];
  readonly #session = deferred<ServedSession>();
  readonly #calls = new Set<AbortController>();
  readonly #byId = new Map<string | number, AbortController>();

  constructor() {
    // Nobody may be waiting.
    this.#session.promise.catch(() => undefined);
  }

  /** The tools that the agent knows; `undefined` until it has asked which there are. */
  get listed(): readonly string[] | undefined {
    return this.#listed;
  }

  /** How often tools were used, by their names. */
  get used(): ReadonlyMap<string, number> {
    return this.#used;
  }

  noteListed(tools: readonly string[]): void {
    this.#listed = tools;
    this.#changed.fire();
  }

  noteUsed(tool: string): void {
    this.#used.set(tool, (this.#used.get(tool) ?? 0) + 1);
    this.#changed.fire();
  }

  bind(session: ServedSession): void {
    this.#session.resolve(session);
  }

  /** Ends its calls. */
  withdraw(): void {
    this.#session.reject(new ToolRefusal('The session is closed.'));
    for (const call of this.#calls) {
      call.abort();
    }
  }

  /** The agent has canceled a call. */
  cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') {
      this.#byId.get(id)?.abort();
    }
  }

  /** Runs a call, of which there may be eight at once. An agent may call before its session is open here. */
  async run<T>(
    id: string | number,
    gone: AbortSignal,
    work: (session: ServedSession, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#calls.size >= maxCalls) {
      throw new ToolRefusal(`At most ${maxCalls} calls can run at once. Try again.`);
    }
    const call = new AbortController();
    this.#calls.add(call);
    this.#byId.set(id, call);
    const signal = AbortSignal.any([call.signal, gone]);
    try {
      const session = await withTimeout(
        this.#session.promise,
        bindingMs,
        () => new ToolRefusal('The session is not open yet. Try again.'),
      );
      signal.throwIfAborted();
      return await Promise.race([work(session, signal), aborted(signal)]);
    } finally {
      this.#calls.delete(call);
      if (this.#byId.get(id) === call) {
        this.#byId.delete(id);
      }
    }
  }
}

/** The offers to the sessions that are open. */
export class Offers {
  readonly #all = new Set<Offer>();

  get size(): number {
    return this.#all.size;
  }

  add(): Offer {
    const offer = new Offer();
    this.#all.add(offer);
    return offer;
  }

  remove(offer: Offer): void {
    this.#all.delete(offer);
    offer.withdraw();
  }

  /** The offer with this `Authorization`. How long that takes tells nothing of a token. */
  find(authorization: string | undefined): Offer | undefined {
    const given = Buffer.from(authorization ?? '');
    let found: Offer | undefined;
    for (const offer of this.#all) {
      const wanted = Buffer.from(`Bearer ${offer.token}`);
      if (given.length === wanted.length && timingSafeEqual(given, wanted)) {
        found = offer;
      }
    }
    return found;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new ToolRefusal('The call was canceled.')), {
      once: true,
    });
  });
}
