import type { Buffer } from 'node:buffer';
import type { WebSocket } from 'ws';
import { withTimeout } from '../../util/async';
import { BoundedSequence } from './boundedSequence';

/** Bytes that may wait in one direction before whoever sends more is paused. */
export const maxHeldBytes = 1024 * 1024;
/** How long a client has to confirm the end. */
const graceMs = 1000;

/** The codes of RFC 6455 with which this side ends a connection. */
export const closeCodes = {
  away: 1001,
  unsupported: 1003,
  refused: 1008,
  tooLarge: 1009,
  failed: 1011,
} as const;
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

export interface ClientSocketOptions {
  readonly socket: WebSocket;
  /** Milliseconds until the client has to have begun, and of silence before it is asked whether it is there. */
  readonly quietMs: number;
  /** Takes one message after the other. Never rejects. */
  readonly take: (text: string) => Promise<void>;
  readonly hasBegun: () => boolean;
  readonly onError: (error: Error) => void;
}

/** The WebSocket of one client, which is cut off if it doesn't answer, or doesn't read. */
export class ClientSocket {
  /** Resolves when it is closed. */
  readonly closed: Promise<void>;
  readonly #options: ClientSocketOptions;
  readonly #socket: WebSocket;
  /** Messages that aren't taken yet. The first ones don't keep it from being read, or its end would stay unnoticed. */
  readonly #messages: BoundedSequence;
  readonly #gone = new AbortController();
  #isThere = true;

  constructor(options: ClientSocketOptions) {
    const { socket, quietMs, onError } = options;
    this.#options = options;
    this.#socket = socket;
    this.#messages = new BoundedSequence(maxHeldBytes, socket);
    socket.on('message', (data, isBinary) => this.#hear(data as Buffer, isBinary));
    socket.on('pong', () => (this.#isThere = true));
    socket.on('ping', () => (this.#isThere = true));
    // `close` follows.
    socket.on('error', onError);
    const quiet = setInterval(() => this.#lookWhether(), quietMs).unref();
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        clearInterval(quiet);
        this.#gone.abort();
        resolve();
      });
    });
  }

  /** Aborted when the client is gone, or sent away. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Bytes that the client hasn't taken. */
  get unsent(): number {
    return this.#socket.bufferedAmount;
  }

  /** Ends the connection, with a reason of at most 123 bytes. */
  close(code: CloseCode, reason: string): void {
    this.#gone.abort();
    this.#socket.close(code, reason);
    // It is read again, so that the other side's consent is noticed.
    this.#socket.resume();
    setTimeout(() => this.#socket.terminate(), graceMs).unref();
  }

  /** Resolves at once while little waits to be sent, otherwise when the client has taken it, or is cut off. */
  async send(text: string): Promise<void> {
    const sent = new Promise<void>((resolve) => {
      this.#socket.send(text, () => resolve());
    });
    if (this.unsent > maxHeldBytes) {
      const longest = 2 * this.#options.quietMs;
      await withTimeout(sent, longest, () => new Error('It isn’t read')).catch(() =>
        this.#socket.terminate(),
      );
    }
  }

  #hear(data: Buffer, isBinary: boolean): void {
    this.#isThere = true;
    if (isBinary) {
      this.close(closeCodes.unsupported, 'Messages are text');
    } else {
      void this.#messages.add(data.length, () => this.#options.take(data.toString('utf8')));
    }
  }

  /** Looks whether the client is still there. One that isn't read, because much of it waits, can't answer. */
  #lookWhether(): void {
    if (!this.#options.hasBegun()) {
      this.close(closeCodes.refused, 'The first message didn’t come in time');
    } else if (!this.#isThere && !this.#socket.isPaused) {
      this.#socket.terminate();
    } else {
      this.#isThere = false;
      this.#socket.ping();
    }
  }
}
