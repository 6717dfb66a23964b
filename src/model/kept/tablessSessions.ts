import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';

/** The part of a session that a tab uses; need not be one of `Sessions`. */
type Closable = Pick<Session, 'close'>;

/** Whether it goes on without a tab: it works, or will send a prompt once a limit is reset. */
function goesOn({ isBusy, turns }: Session): boolean {
  return isBusy || turns.queue.some(({ at }) => at !== undefined);
}

/**
 * Sessions whose tab was closed. One that goes on continues until it is idle, and is then closed; one whose
 * turn has failed stays open, so that the user can see the failure and send the prompt again.
 */
export class TablessSessions implements Disposable {
  readonly #sessions: Pick<Sessions, 'all' | 'onDidChange' | 'onDidHappen'>;
  readonly #store = new DisposableStore();
  readonly #tabless = new Set<Session>();
  readonly #failed = new WeakSet<Session>();

  constructor(sessions: Pick<Sessions, 'all' | 'onDidChange' | 'onDidHappen'>) {
    this.#sessions = sessions;
    this.#store.add(sessions.onDidChange((session) => this.#look(session)));
    this.#store.add(
      sessions.onDidHappen(({ session, kind }) => {
        if (kind !== 'needsAnswer') {
          this.#noteEnd(session, kind === 'failed');
        }
      }),
    );
  }

  /**
   * Closes the session, unless it goes on. The user isn't asked: the session's row
   * shows the activity, and a click on it reopens the tab.
   */
  tabClosed(closed: Closable): void {
    const session = this.#sessions.all.find((open) => open === closed);
    if (session !== undefined && goesOn(session)) {
      this.#tabless.add(session);
      this.#look(session);
    } else {
      void closed.close();
    }
  }

  /** The session has a tab again, and is no longer closed when it is idle. */
  tabOpened(opened: object): void {
    for (const session of this.#tabless) {
      if (session === opened) {
        this.#tabless.delete(session);
      }
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #noteEnd(session: Session, failed: boolean): void {
    if (failed) {
      this.#failed.add(session);
    } else {
      this.#failed.delete(session);
    }
  }

  #look(session: Session): void {
    if (!this.#tabless.has(session)) {
      return;
    }
    if (!this.#sessions.all.includes(session)) {
      this.#tabless.delete(session);
      return;
    }
    if (session.turns.current.kind === 'running' && session.turns.current.canForce) {
      // The user has canceled the turn, and there is no tab to end it from.
      session.turns.forceFinish();
    }
    if (!goesOn(session)) {
      // Other listeners run first: they mark the result unread, notify the user and index it.
      setImmediate(() => this.#letGo(session));
    }
  }

  #letGo(session: Session): void {
    if (this.#tabless.has(session) && !goesOn(session) && !this.#failed.has(session)) {
      this.#tabless.delete(session);
      void session.close();
    }
  }
}
