import type { Event } from '../../util/emitter';
import type { AcpError } from '../errors';

/** How a transport came to its end. */
export interface TransportEnd {
  /** Why, when it was not we who ended it. */
  readonly error?: AcpError;
}

/**
 * A way to an agent: bytes in both directions and one end. `onEnd` fires exactly once, after the
 * last `onData`. Implementations: a child process over stdio, and a pair in memory for tests.
 */
export interface Transport {
  readonly onData: Event<Uint8Array>;
  readonly onEnd: Event<TransportEnd>;
  /** A line that the agent wrote beside its messages (TR-6), as it came, without colours; bounded in length and rate. */
  readonly onSaid?: Event<string>;
  /** The last lines that the agent wrote beside its messages (TR-6), oldest first, bounded. */
  readonly said?: readonly string[];
  /** Queues bytes for the agent; resolves when they were taken, rejects after the end. */
  write(bytes: string): Promise<void>;
  /** Stops and continues `onData`, for back-pressure. */
  pause(): void;
  resume(): void;
  /** Ends it in good order (TR-8): input closed, then terminated, then killed, with all children. */
  close(): Promise<void>;
}
