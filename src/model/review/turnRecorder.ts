import type { ToolCallEntry } from '../../shared/transcript/entries';

/** A session whose turns are recorded. */
export interface RecordedSession {
  readonly agentId: string;
  readonly sessionId: string;
  /** Its folders, the one that it was created in first. */
  readonly folders: readonly string[];
}

/** Follows the turns of one session. None of its methods throws or rejects by itself. */
export interface TurnRecorder {
  /** A prompt is about to be sent; resolves when it may be, after 100 ms at the latest. */
  begin(prompt: string): Promise<void>;
  /** The turn has ended, or the prompt isn't sent. */
  end(): void;
  /** Runs a write of a file through us, and records what was there before and after it. */
  write(file: string, write: () => Promise<void>): Promise<void>;
  /** A tool call of the running turn was completed. */
  completed(call: ToolCallEntry): void;
}

/** Records the turns of sessions; the rest of it is loaded with the first turn. */
export interface TurnRecorders {
  of(session: RecordedSession): TurnRecorder;
}
