import type { SampleTranscript } from './transcript';

/** A session of the sample history. */
export interface SampleSession {
  readonly title: string;
  /** A folder next to the sample's folder, used instead of it. */
  readonly otherFolder?: string;
  readonly write: (transcript: SampleTranscript) => void;
}
