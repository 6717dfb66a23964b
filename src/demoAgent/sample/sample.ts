import type { Transcript } from './transcript';

/** A session of the sample history. */
export interface SampleSession {
  readonly title: string;
  /** Beside the sample's folder instead of in it. */
  readonly otherFolder?: string;
  readonly write: (transcript: Transcript) => void;
}
