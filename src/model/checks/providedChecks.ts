import type { SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter, type Event } from '../../util/emitter';

/** How the last check of a session's folder went, in this window. */
export interface KnownCheck {
  readonly state: 'running' | 'passed' | 'failed' | 'stopped';
  /** Whether the agent has changed files, or may have, since the check began. */
  readonly isStale: boolean;
}

/** The checks of sessions: a command of the user's that passes or fails in a session's folder. */
export interface Checks {
  /** `undefined` if none has run. */
  of(agentId: string, sessionId: string): KnownCheck | undefined;
  /** Fires with the session whose check has changed. */
  readonly onDidChange: Event<SessionRef>;
  /** Lets the user choose what to do about a session's check; runs it if none has run. Asks and tells by itself. */
  open(session: SessionRef): unknown;
}

/** The checks, for code that only shows them: there are none until a feature provides them. */
export class ProvidedChecks implements Pick<Checks, 'of' | 'onDidChange'>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<SessionRef>());
  readonly onDidChange = this.#changed.event;
  #current: Checks | undefined;

  /** `undefined` as long as nothing provides them. */
  get current(): Checks | undefined {
    return this.#current;
  }

  provide(checks: Checks): void {
    this.#current = checks;
    this.#store.add(checks.onDidChange((session) => this.#changed.fire(session)));
  }

  of(agentId: string, sessionId: string): KnownCheck | undefined {
    return this.#current?.of(agentId, sessionId);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
