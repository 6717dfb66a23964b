import { Buffer } from 'node:buffer';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a request for a connection is answered with: 101 lets it in, 0 is no answer at all. */
export interface Verdict {
  readonly status: 101 | 401 | 403 | 404 | 0;
  /** The reason for the log. */
  readonly reason: string;
}

export interface GateOptions {
  readonly path: string;
  /** The name or address that the server listens at; on loopback, `localhost` counts, too. */
  readonly host: string;
  /** Milliseconds before the first answer to a wrong token; each further one takes twice as long. */
  readonly delayMs?: number;
}

const defaultDelayMs = 250;
const maxDelayMs = 8000;
/** Wrong tokens from one address; then nothing but the right one is answered there for a while. */
const maxWrongTokens = 20;
const whileMs = 60_000;
/** Addresses whose failures are known, and refusals that wait for their time; more aren't answered. */
const maxAddresses = 100;
const maxWaitingClients = 16;

interface Failures {
  count: number;
  last: number;
}

/** Decides who may connect to an agent that is shared, and makes its tokens. */
export class Gate {
  readonly #options: GateOptions;
  #hash: Buffer = Buffer.alloc(0);
  readonly #failures = new Map<string, Failures>();
  #waiting = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** A new token in place of the one before. Only its hash is kept. */
  newToken(): string {
    const token = randomBytes(32).toString('base64url');
    this.#hash = computeHash(token);
    return token;
  }

  async admit(request: IncomingMessage): Promise<Verdict> {
    const { path } = this.#options;
    const { host = '', origin, authorization = '' } = request.headers;
    const peer = request.socket.remoteAddress ?? '';
    // First, so that no guess is free, whatever else is wrong.
    if (!this.#isRight(authorization)) {
      return this.#isLockedOut(peer)
        ? { status: 0, reason: 'too many wrong tokens' }
        : this.#refuse(peer);
    }
    if (request.url !== path) {
      return { status: 404, reason: 'another path' };
    }
    if (origin !== undefined) {
      return { status: 403, reason: 'a page in a browser' };
    }
    // A name that anyone can have point here is how such a page would get around that.
    if (!this.#isOurs(host)) {
      return { status: 403, reason: 'a name that is not the one of this server' };
    }
    return { status: 101, reason: '' };
  }

  /** The port may be that of a tunnel's other end. */
  #isOurs(host: string): boolean {
    const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
    const own = this.#options.host.includes(':') ? `[${this.#options.host}]` : this.#options.host;
    return name === own || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(name);
  }

  #isRight(authorization: string): boolean {
    const [, token = ''] = /^Bearer ([\w-]{1,200})$/i.exec(authorization) ?? [];
    const given = computeHash(token);
    return given.length === this.#hash.length && timingSafeEqual(given, this.#hash);
  }

  async #refuse(peer: string): Promise<Verdict> {
    const failures = this.#getFailures(peer);
    failures.count += 1;
    failures.last = performance.now();
    if (this.#waiting >= maxWaitingClients) {
      return { status: 0, reason: 'many wrong tokens at once' };
    }
    const { delayMs = defaultDelayMs } = this.#options;
    const wait = Math.min(delayMs * 2 ** (failures.count - 1), maxDelayMs);
    this.#waiting += 1;
    // Nothing waits for it when the window closes.
    await new Promise((resolve) => setTimeout(resolve, wait).unref());
    this.#waiting -= 1;
    return { status: 401, reason: 'a wrong token, or none' };
  }

  #getFailures(peer: string): Failures {
    const known = this.#failures.get(peer);
    if (known !== undefined) {
      return known;
    }
    const [oldest] = this.#failures.keys();
    if (this.#failures.size >= maxAddresses && oldest !== undefined) {
      this.#failures.delete(oldest);
    }
    const failures = { count: 0, last: 0 };
    this.#failures.set(peer, failures);
    return failures;
  }

  #isLockedOut(peer: string): boolean {
    const failures = this.#failures.get(peer);
    if (failures === undefined) {
      return false;
    }
    if (performance.now() - failures.last > whileMs) {
      this.#failures.delete(peer);
      return false;
    }
    return failures.count >= maxWrongTokens;
  }
}

function computeHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
