import type { PageLimits } from './folderPages';

export interface SessionListLimits extends PageLimits {
  /** How long a refresh waits for further patches of unlisted sessions, in ms (T-19). */
  readonly newsMs: number;
}

export const sessionListLimits: SessionListLimits = {
  pages: 20,
  unfilteredPages: 5,
  newsMs: 1_000,
};
