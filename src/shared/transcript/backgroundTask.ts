import type { TerminalSize } from '../terminal/terminalScreen';

/** Something that an agent runs beside the turns of a session, as it is listed. */
export interface BackgroundTask {
  readonly id: string;
  readonly kind: 'terminal' | 'toolCall' | 'subagent' | 'other';
  /** A single line, never empty. */
  readonly title: string;
  /** The end of what a terminal has put out. */
  readonly output?: string;
  /** The size of the terminal, if the agent has told it. */
  readonly size?: TerminalSize;
  /** Whether it can be stopped alone. */
  readonly canStop?: true;
  /** What became of the user's wish to stop it, as long as it runs. */
  readonly stop?: 'asked' | 'failed';
  /** Index of the entry that shows it. */
  readonly index?: number;
}

/** `count`: how many there are, listed or not. */
export interface BackgroundTasks {
  readonly count: number;
  readonly listed: readonly BackgroundTask[];
}
