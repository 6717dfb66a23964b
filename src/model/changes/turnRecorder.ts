import type { ToolCallEntry } from '../../shared/transcript/entries';

/** A session whose turns are recorded. */
export interface RecordedSession {
  readonly agentId: string;
  readonly sessionId: string;
  /** The session's folders, the one that it was created in first. */
  readonly folders: readonly string[];
}

/**
 * The longest time that recording holds a prompt, in ms. A timer of a busy host is late, and the prompt still leaves
 * within 100 ms.
 */
export const maxHoldMs = 40;

/** Follows the turns of one session. None of its methods throws or rejects by itself. */
export interface TurnRecorder {
  /** A prompt is likely: what takes longest before it is done now, unless it was or a turn runs. */
  prepare(): Promise<void>;
  /**
   * A prompt is about to be sent; resolves when it may be, after `maxHoldMs` at the latest. `asked`: when that began
   * to count, by `performance.now()`; now by default.
   */
  begin(prompt: string, asked?: number): Promise<void>;
  /** The agent has begun a turn by itself; `after` is the prompt before it. */
  beginUnprompted(after: string): void;
  /** The turn has ended, or the prompt isn't sent. */
  end(): void;
  /** Runs a write of a file through us, and records what was there before and after it. */
  write(file: string, write: () => Promise<void>): Promise<void>;
  /** The agent of the running turn is carrying out a tool call, or has; what it names is its own. */
  acted(call?: ToolCallEntry): void;
  /** A command of the agent runs through us in this folder, until `exited` is settled. */
  runs(command: string, folder: string, exited: Promise<unknown>): void;
  /** A tool call of the running turn was completed. */
  completed(call: ToolCallEntry): void;
}

/** Records the turns of sessions. */
export interface TurnRecorders {
  of(session: RecordedSession): TurnRecorder;
}
