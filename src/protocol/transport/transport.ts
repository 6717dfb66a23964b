import type { Event } from '../../util/emitter';
import type { AcpError } from '../errors';

/** How a transport ended. */
export interface TransportEnd {
  /** Why, unless this side ended it. */
  readonly error?: AcpError;
}

/**
 * A connection to an agent: bytes in both directions and one end. `onEnd` fires exactly once, after the last `onData`.
 * Implementations: a child process over stdio, and a pair in memory for tests.
 */
export interface Transport {
  readonly onData: Event<Uint8Array>;
  readonly onEnd: Event<TransportEnd>;
  /** A line that the agent wrote beside its messages (TR-6), as it came, without colours; bounded in length and rate. */
  readonly onSaid?: Event<string>;
  /** The last lines that the agent wrote beside its messages (TR-6), oldest first, bounded. */
  readonly said?: readonly string[];
  /** Queues bytes for the agent; resolves when they are written, rejects after the end. */
  write(bytes: string): Promise<void>;
  /** Stops and continues `onData`, for back-pressure. */
  pause(): void;
  resume(): void;
  /** Ends the agent and all its children (TR-8): closes its input, then terminates, then kills it. */
  close(): Promise<void>;
}
