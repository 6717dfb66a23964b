import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Session } from './session';
import type { Sessions } from './sessions';

/** What a tab knows of its session, which may be no session of ours. */
type Closable = Pick<Session, 'close'>;

/**
 * Sessions whose tab has gone. One that has something to do goes on until it has come to rest, and is let go
 * then; one whose turn has failed stays, to be seen and sent again.
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

  /** Nobody asks: what goes on is shown by the session's row, and a click there brings its tab back. */
  tabClosed(closed: Closable): void {
    const session = this.#sessions.all.find((open) => open === closed);
    if (session?.isBusy) {
      this.#tabless.add(session);
      this.#look(session);
    } else {
      void closed.close();
    }
  }

  /** It goes as its tab goes, again. */
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
    if (session.turn.kind === 'running' && session.turn.canForce) {
      // A person has stopped it, and there is no tab to end it from.
      session.forceFinish();
    }
    if (!session.isBusy) {
      // Whoever else hears of this comes first: the result is marked unread, told and indexed.
      setImmediate(() => this.#letGo(session));
    }
  }

  #letGo(session: Session): void {
    if (this.#tabless.has(session) && !session.isBusy && !this.#failed.has(session)) {
      this.#tabless.delete(session);
      void session.close();
    }
  }
}
