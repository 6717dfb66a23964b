import { getKey } from '../../model/list/sessionInfo';
import type { Session } from '../../model/session/session';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';
import type { Happening } from './attention';

/** What has happened to a session while the user was away: the last thing. */
export interface AwayNews {
  readonly ref: SessionRef;
  readonly kind: Happening['kind'];
}

interface AbsenceSources {
  readonly sessions: {
    readonly onDidHappen: Event<{
      readonly session: Pick<Session, 'agent' | 'info'>;
      readonly kind: Happening['kind'];
    }>;
  };
  readonly onDidChangeWindowState: Event<{ readonly focused: boolean }>;
  /** In ms since the epoch. */
  readonly now?: () => number;
}

/** Sessions that are remembered: the latest ones. */
const maxSessions = 200;

/** What has happened since the window last had the focus. It is kept until the user leaves again, or has seen it. */
export class Absence implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #now: () => number;
  readonly #news = new Map<string, AwayNews>();
  #isAway = false;
  #since = 0;

  constructor({ sessions, onDidChangeWindowState, now = Date.now }: AbsenceSources) {
    this.#now = now;
    this.#store.add(onDidChangeWindowState(({ focused }) => this.#focusChanged(focused)));
    this.#store.add(sessions.onDidHappen(({ session, kind }) => this.#note(getRef(session), kind)));
  }

  /** When the user left, in ms since the epoch. */
  get since(): number {
    return this.#since;
  }

  /** In the order of time. */
  get news(): readonly AwayNews[] {
    return [...this.#news.values()];
  }

  /** The user knows about these sessions. */
  see(refs: readonly SessionRef[]): void {
    const seen = refs.map((ref) => this.#news.delete(getKey(ref)));
    if (seen.includes(true)) {
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #focusChanged(focused: boolean): void {
    // The event also says that the user is active, or no longer.
    if (!focused && !this.#isAway) {
      this.#since = this.#now();
      this.#news.clear();
      this.#changed.fire();
    }
    this.#isAway = !focused;
  }

  #note(ref: SessionRef, kind: Happening['kind']): void {
    if (!this.#isAway) {
      return;
    }
    this.#news.delete(getKey(ref));
    this.#news.set(getKey(ref), { ref, kind });
    const [oldest] = this.#news.keys();
    if (this.#news.size > maxSessions && oldest !== undefined) {
      this.#news.delete(oldest);
    }
    this.#changed.fire();
  }
}
