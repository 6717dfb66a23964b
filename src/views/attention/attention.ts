import type { Session } from '../../model/session/session';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';

export interface Happening {
  readonly session: Session;
  readonly kind: 'turnEnded' | 'needsAnswer' | 'failed';
}

/** Source of the session events that concern the user. */
export interface HappeningSessions {
  readonly onDidHappen: Event<Happening>;
}

/** Tracks which sessions are visible and which have unread activity. Tabs report their visibility. */
export class Attention implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<Session>());
  /** A session became read or unread. */
  readonly onDidChange = this.#changed.event;
  readonly #shown = this.#store.add(new Emitter<object>());
  /** A session's tab became visible. */
  readonly onDidShow = this.#shown.event;
  readonly #visible = new WeakSet<object>();
  readonly #unread = new WeakMap<object, Session>();

  constructor(sessions: HappeningSessions) {
    this.#store.add(
      sessions.onDidHappen(({ session, kind }) => {
        if (kind !== 'needsAnswer' && !this.#visible.has(session)) {
          this.#unread.set(session, session);
          this.#changed.fire(session);
        }
      }),
    );
  }

  isVisible(session: object): boolean {
    return this.#visible.has(session);
  }

  /** Whether a turn ended or failed while the session had no visible tab. */
  isUnread(session: object): boolean {
    return this.#unread.has(session);
  }

  setVisible(session: object, visible: boolean): void {
    if (!visible) {
      this.#visible.delete(session);
      return;
    }
    this.#visible.add(session);
    this.setRead(session);
    this.#shown.fire(session);
  }

  /** Marks the session as read, whether or not the user has seen it. */
  setRead(session: object): void {
    const unread = this.#unread.get(session);
    if (unread !== undefined) {
      this.#unread.delete(session);
      this.#changed.fire(unread);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }
}
