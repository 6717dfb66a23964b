import { maxHoldMs } from '../../../../model/changes/turnRecorder';
import type { Log, RealPath } from '../../../../model/ports';
import type { Checkpoints } from '../checkpoints/checkpoints';
import type { ReviewFiles } from '../reviewFiles';
import type { StoredReviews } from '../storedReviews';

export interface RecorderOptions {
  readonly reviews: Pick<StoredReviews, 'open' | 'tracking' | 'work'>;
  readonly checkpoints: Checkpoints;
  readonly files: ReviewFiles;
  readonly realPath: RealPath;
  readonly log: Pick<Log, 'warn'>;
  readonly limits?: RecorderLimits;
}

export interface RecorderLimits {
  /** How long a prompt waits for the checkpoint before it, in ms. */
  readonly promptMs: number;
  /** How long no agent changes anything after its prompt, even one that doesn't report what it does, in ms. */
  readonly thinkingMs: number;
  /** The time between two checkpoints while a turn runs, in ms. */
  readonly betweenMs: number;
}

export const usualLimits: RecorderLimits = {
  promptMs: maxHoldMs,
  thinkingMs: 1_000,
  betweenMs: 3_000,
};
