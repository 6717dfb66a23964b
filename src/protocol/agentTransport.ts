import type { Event } from '../util/emitter';
import type { AcpError } from './errors';

/** The end of a transport. */
export interface TransportEnd {
  /** The reason, unless this side ended it. */
  readonly error?: AcpError;
}

/**
 * A connection to an agent: bytes in both directions, and a single end. `onEnd` fires exactly once,
 * after the last `onData`. Implementations: a child process over stdio, and an in-memory pair for
 * tests.
 */
export interface Transport {
  readonly onData: Event<Uint8Array>;
  readonly onEnd: Event<TransportEnd>;
  /**
   * A line that the agent wrote outside of its messages (TR-6), in full but without colors;
   * bounded in length and rate.
   */
  readonly onSaid?: Event<string>;
  /** The last lines that the agent wrote outside of its messages (TR-6), oldest first, bounded. */
  readonly said?: readonly string[];
  /** Resolves when the agent's process runs; rejects with the reason if it can't be started. */
  readonly started?: Promise<unknown>;
  /**
   * Whether the command that was started still fetches the agent's program and hasn't run it yet; absent if it is no
   * such command.
   */
  readonly isFetching?: (() => Promise<boolean>) | undefined;
  /** Queues bytes for the agent; resolves once they are written, rejects after the end. */
  write(bytes: string): Promise<void>;
  /** Pauses and resumes `onData`, for back-pressure. */
  pause(): void;
  resume(): void;
  /** Ends the agent and all its children (TR-8): closes its input, then terminates, then kills it. */
  close(): Promise<void>;
}
