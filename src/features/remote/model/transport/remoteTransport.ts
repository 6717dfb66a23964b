import type { Transport, TransportEnd } from '../../../../protocol/agentTransport';
import { ByteBuffer } from '../../../../protocol/byteBuffer';
import { AcpError } from '../../../../protocol/errors';
import { defaultMaxMessageBytes } from '../../../../protocol/lineSplitter';
import { deferred } from '../../../../util/async';
import { Emitter } from '../../../../util/emitter';
import { type LineTrouble, lineError, systemTrouble } from './lineTrouble';

/** The address of an agent on another machine, and the limits of patience. */
export interface RemoteOptions {
  readonly url: URL;
  /** Sent with each request of HTTP, and with the upgrade of a WebSocket. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for the name look-up, the connection, TLS and the upgrade together. */
  readonly connectMs?: number;
  /** Milliseconds of silence before the other side is asked whether it is there, and again for its answer. */
  readonly quietMs?: number;
  /** Maximum size of a message; a larger one ends the connection. */
  readonly maxFrameBytes?: number;
}

const defaultConnectMs = 20_000;
const defaultQuietMs = 30_000;
/** A message between the limit and its double is dropped and reported by the splitter, like one over stdio. */
export const defaultMaxFrameBytes = 2 * defaultMaxMessageBytes;
/** Bytes that are taken while paused before the socket is paused, too: so the end is noticed. */
const maxHeldBytes = 1024 * 1024;
/** How long the other side has to confirm the end. */
const graceMs = 1000;

/** What the transports to other machines have in common: waiting to be open, back-pressure, one end with its reason. */
export abstract class RemoteTransport implements Transport {
  protected readonly options: RemoteOptions;
  readonly #data = new Emitter<Uint8Array>();
  readonly #end = new Emitter<TransportEnd>();
  readonly onData = this.#data.event;
  readonly onEnd = this.#end.event;
  readonly #open = deferred<undefined>();
  readonly #ended = deferred<TransportEnd>();
  #connecting: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #isAsked = false;
  readonly #held = new ByteBuffer();
  #paused = false;
  #heard = false;
  #closing = false;
  #done = false;

  constructor(options: RemoteOptions) {
    this.options = options;
    // Each write reports the failure; this only prevents an unhandled rejection.
    this.#open.promise.catch(() => undefined);
  }

  get started(): Promise<unknown> {
    return this.#open.promise;
  }

  async write(bytes: string): Promise<void> {
    await this.#open.promise;
    if (!this.#done) {
      try {
        await this.send(bytes);
        return;
      } catch (error) {
        this.broken(error);
      }
    }
    const { error } = await this.#ended.promise;
    throw error ?? closedError();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) {
      return;
    }
    this.#paused = false;
    this.#release();
    this.hold(false);
  }

  async close(): Promise<void> {
    if (!this.#closing && !this.#done) {
      this.#closing = true;
      this.#open.reject(closedError());
      const late = setTimeout(() => this.ended(), graceMs);
      try {
        await Promise.race([this.hangUp().catch(() => undefined), this.#ended.promise]);
      } finally {
        clearTimeout(late);
      }
      this.ended();
    }
    await this.#ended.promise;
  }

  protected get host(): string {
    return this.options.url.host;
  }

  protected get isDone(): boolean {
    return this.#done;
  }

  /** Whether the other side has said anything. */
  protected get hasHeard(): boolean {
    return this.#heard;
  }

  /** Sends one line; rejects if the line is broken. */
  protected abstract send(line: string): Promise<void>;
  /** Pauses or resumes reading. */
  protected abstract hold(isHeld: boolean): void;
  /** Takes leave of the other side; resolves once that is confirmed. */
  protected abstract hangUp(): Promise<void>;
  /** Releases everything at once. */
  protected abstract release(): void;
  /** Asks whether the other side is there; it calls `alive` with the answer. */
  protected abstract ask(): void;

  /** Called once, when the attempt to connect has begun. */
  protected connecting(): void {
    this.#connecting = setTimeout(
      () => this.fail('timeout', 'connecting'),
      this.options.connectMs ?? defaultConnectMs,
    );
  }

  protected opened(): void {
    clearTimeout(this.#connecting);
    this.alive();
    this.#open.resolve(undefined);
  }

  /** The other side is there. */
  protected alive(): void {
    this.#isAsked = false;
    if (this.#quiet === undefined && !this.#done) {
      this.#quiet = setTimeout(() => this.#lookWhether(), this.options.quietMs ?? defaultQuietMs);
    } else {
      this.#quiet?.refresh();
    }
  }

  protected take(bytes: Uint8Array): void {
    if (this.#done || this.#closing) {
      return;
    }
    this.#heard = true;
    this.alive();
    if (!this.#paused) {
      this.#data.fire(bytes);
      return;
    }
    this.#held.append(bytes);
    if (this.#held.length > maxHeldBytes) {
      this.hold(true);
    }
  }

  /** The line broke, or couldn't be established. */
  protected broken(error: unknown): void {
    this.fail(
      systemTrouble(error) ?? (this.#heard ? 'lost' : 'closed'),
      error instanceof Error ? error.message : '',
      error,
    );
  }

  /** A line that was in use is lost, however it broke. */
  protected fail(trouble: LineTrouble, said = '', cause?: unknown): void {
    const isLost = this.#heard && trouble !== 'tooLarge' && trouble !== 'unauthorized';
    this.ended(lineError(isLost ? 'lost' : trouble, this.host, said, cause));
  }

  protected ended(error?: AcpError): void {
    if (this.#done) {
      return;
    }
    this.#release();
    this.#done = true;
    clearTimeout(this.#connecting);
    clearTimeout(this.#quiet);
    const end = this.#closing || error === undefined ? {} : { error };
    this.#open.reject(end.error ?? closedError());
    this.#ended.resolve(end);
    this.release();
    this.#end.fire(end);
  }

  #lookWhether(): void {
    this.#quiet = undefined;
    if (this.#held.length > maxHeldBytes) {
      // Its answer couldn't be read.
      this.alive();
    } else if (this.#isAsked) {
      this.fail('timeout', 'no sign of life');
    } else {
      this.alive();
      this.#isAsked = true;
      this.ask();
    }
  }

  #release(): void {
    if (this.#held.length > 0) {
      this.#data.fire(this.#held.take());
    }
  }
}

function closedError(): AcpError {
  return new AcpError('cancelled', 'The connection was closed');
}
