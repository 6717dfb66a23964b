import type { PageLimits } from './folderPages';

export interface SessionListLimits extends PageLimits {
  /** How long a refresh waits for further patches of unlisted sessions, in ms (T-19). */
  readonly newsMs: number;
  /** A list is read again at most this often, in ms, however often its agent says that it has changed (T-46). */
  readonly changesMs: number;
  /** How long recalled rows are given to be drawn before their agent starts, which takes the processor, in ms. */
  readonly drawingMs: number;
}

export const sessionListLimits: SessionListLimits = {
  pages: 20,
  unfilteredPages: 5,
  newsMs: 1_000,
  changesMs: 5_000,
  drawingMs: 60,
};
