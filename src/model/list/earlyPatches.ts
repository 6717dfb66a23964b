import type { SessionInfoPatch } from '../../protocol/updates';
import { mergeInfoPatches } from './sessionInfo';

const mostSessions = 200;

/** What was pushed for sessions that aren't listed, for when they are (T-19). Bounded: the oldest go first. */
export class EarlyPatches {
  readonly #patches = new Map<string, SessionInfoPatch>();

  /** True when it is the first for this session. */
  add(sessionId: string, patch: SessionInfoPatch): boolean {
    const earlier = this.#patches.get(sessionId);
    this.#patches.delete(sessionId);
    this.#patches.set(sessionId, mergeInfoPatches(earlier, patch));
    if (this.#patches.size > mostSessions) {
      for (const oldest of this.#patches.keys()) {
        this.#patches.delete(oldest);
        break;
      }
    }
    return earlier === undefined;
  }

  take(sessionId: string): SessionInfoPatch | undefined {
    const patch = this.#patches.get(sessionId);
    this.#patches.delete(sessionId);
    return patch;
  }
}
