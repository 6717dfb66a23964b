import type { KeptWork } from '../../../model/kept/keptWork';
import { applyChoices, moveDraft, needsRenewal, renew } from '../../../model/kept/renewal';
import type { SessionMarks } from '../../../model/marks/marks';
import type { Log } from '../../../model/ports';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import type { Failure } from '../../../shared/failure';
import { getRef } from '../../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { getStack } from '../../../util/getStack';
import type { Attention } from '../../attention/attention';
import type { TranscriptPanels } from './panels';

interface Services {
  readonly sessions: Sessions;
  readonly attention: Pick<Attention, 'isVisible' | 'onDidShow'>;
  readonly panels: Pick<TranscriptPanels, 'replace'>;
  readonly work: Pick<KeptWork, 'move'>;
  readonly marks: Pick<SessionMarks, 'get' | 'setAlias' | 'setPinned'>;
  readonly log: Log;
}

/**
 * Sessions that were never prompted and that their agent no longer knows, after a restart or a reload: once the user
 * sees the tab of one, a new session takes its place, with what was written and chosen there; until then the tab is
 * loading. One that the agent still knows gets what was chosen.
 */
export class Renewals implements Disposable {
  readonly #services: Services;
  readonly #store = new DisposableStore();
  /** The failure after which a new session was tried, which may have failed, too. */
  readonly #tried = new WeakMap<Session, Failure>();
  /** The sessions that are live since the last look. */
  readonly #live = new WeakSet<Session>();

  constructor(services: Services) {
    this.#services = services;
    const { sessions, attention } = services;
    this.#store.add(sessions.onDidChange((session) => this.#look(session)));
    this.#store.add(
      attention.onDidShow((shown) => {
        const session = sessions.all.find((open) => open === shown);
        if (session !== undefined) {
          this.#look(session);
        }
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  #look(session: Session): void {
    const { phase, unprompted, isLive } = session;
    if (!isLive) {
      this.#live.delete(session);
    } else if (unprompted !== undefined && !this.#live.has(session)) {
      this.#live.add(session);
      void applyChoices(session, unprompted);
    }
    const { attention, log } = this.#services;
    if (
      phase.kind === 'failed' &&
      needsRenewal(session) &&
      attention.isVisible(session) &&
      this.#isOpen(session) &&
      this.#tried.get(session) !== phase.failure
    ) {
      this.#tried.set(session, phase.failure);
      session
        .renewed((signal) => this.#replace(session, signal))
        .catch((error: unknown) => {
          // The tab still says what has failed, and shows what was written.
          log.warn(`${session.agent.id}: no new session for one that is gone: ${getStack(error)}`);
        });
    }
  }

  async #replace(session: Session, signal: AbortSignal): Promise<void> {
    const { sessions, panels, work, marks } = this.#services;
    const made = await renew(sessions, session, signal);
    if (made === session) {
      return;
    }
    // The user may have closed its tab, or restarted its agent, which now has it.
    if (!this.#isOpen(session) || session.isLive) {
      await made.close();
      return;
    }
    moveDraft(work, session, made);
    const { alias, pinned } = marks.get(session.agent.id, session.info.sessionId);
    const ref = getRef(made);
    await panels.replace(session, made);
    if (alias !== undefined) {
      await marks.setAlias(ref, alias);
    }
    if (pinned) {
      await marks.setPinned([ref], true);
    }
  }

  #isOpen(session: Session): boolean {
    return this.#services.sessions.find(session.agent.id, session.info.sessionId) === session;
  }
}
