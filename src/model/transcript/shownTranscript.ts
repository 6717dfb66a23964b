import type { Transcript } from './transcript';

/** The transcript that views show of a session. */
export type ShownTranscript = Pick<
  Transcript,
  'entries' | 'at' | 'entriesOf' | 'onDidChange' | 'onDidChangeNested'
> & {
  /** Whether it is the one of the last time, until the agent has replayed the session. */
  readonly isCached?: boolean;
  /** When that was stored, in ms since the epoch. */
  readonly cachedAt?: number | undefined;
};
