import type { Agent, SessionRow } from '../../../model/agent';
import { sessionKey } from '../../../model/list/sessionInfo';
import type { SessionMarks } from '../../../model/marks/marks';
import type { SessionPlaces } from '../../../model/places/sessionPlaces';
import type { LateReviews } from '../../../model/review/lateReviews';
import type { KeptWork } from '../../../model/session/keptWork';
import type { Session } from '../../../model/session/session';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter, type Event } from '../../../util/emitter';
import type { Attention } from '../../attention/attention';
import type { RowFacts, RowRules } from './arrange';
import type { SessionChoices } from './choices';
import type { RowPlace } from './folderFacts';

export interface ArrangementParts {
  readonly marks: Pick<SessionMarks, 'get' | 'isUnread' | 'onDidChange'>;
  readonly choices: SessionChoices;
  /** The rules of the setting `acpSessions.hiddenSessions`. */
  readonly rules: {
    hidden(titles: readonly string[]): ReadonlySet<string>;
    readonly onDidChange: Event<void>;
  };
  readonly sessions: {
    find(agentId: string, sessionId: string): Session | undefined;
    readonly onDidChange: Event<Session>;
  };
  readonly places: SessionPlaces;
  readonly attention: Pick<Attention, 'isUnread' | 'onDidChange'>;
  readonly work: Pick<KeptWork, 'isInterrupted' | 'onDidChange'>;
  readonly reviews: Pick<LateReviews, 'pendingIn' | 'onDidChange'>;
}

/** Which rows the tree shows, where and in which order, by the user's marks and choices. */
export class Arrangement implements RowRules, Disposable {
  readonly choices: SessionChoices;
  readonly #parts: ArrangementParts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #open = new WeakSet<Session>();
  /** Rows may have appeared, disappeared, moved or changed their look. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: ArrangementParts) {
    this.#parts = parts;
    const { marks, choices, rules, sessions, places, attention, work, reviews } = parts;
    this.choices = choices;
    const changed = (): void => this.#changed.fire();
    this.#store.add(marks.onDidChange(changed));
    this.#store.add(work.onDidChange(changed));
    this.#store.add(reviews.onDidChange(changed));
    this.#store.add(choices.onDidChange(changed));
    this.#store.add(rules.onDidChange(changed));
    this.#store.add(places.gone.onDidChange(changed));
    this.#store.add(places.moved.onDidChange(changed));
    // Other changes of a session affect which rows show only under a filter; the view updates the
    // rows' look.
    const live = (): void => {
      if (choices.filter.states.length > 0) {
        changed();
      }
    };
    this.#store.add(
      sessions.onDidChange((session) => (this.#noteOpen(session) ? changed() : live())),
    );
    this.#store.add(attention.onDidChange(live));
  }

  /** The agents that the filter includes; all agents if it names none that still exists. */
  agentsOf<T extends Pick<Agent, 'id'>>(all: readonly T[]): readonly T[] {
    const left = all.filter(({ id }) => this.choices.filter.agents.includes(id));
    return left.length === 0 ? all : left;
  }

  factsOf({ agentId, info, updatedAt }: SessionRow): RowFacts {
    const { marks, sessions, attention, work, reviews } = this.#parts;
    const { sessionId } = info;
    const { pinned, alias, origin, ...mark } = marks.get(agentId, sessionId);
    const archived = mark.archived || info.archived === true;
    const session = sessions.find(agentId, sessionId);
    const isUnread = session !== undefined && attention.isUnread(session);
    const unread = isUnread || marks.isUnread(agentId, sessionId, updatedAt);
    const open = session !== undefined;
    const interrupted = !open && work.isInterrupted(agentId, sessionId);
    const review = reviews.pendingIn(agentId, sessionId) > 0;
    return {
      ...{ pinned, archived, alias, unread, open, interrupted, review },
      ...(origin && { origin: { key: sessionKey(agentId, origin.sessionId), turn: origin.turn } }),
    };
  }

  placeOf({ agentId, info }: SessionRow): RowPlace {
    const { places } = this.#parts;
    const cwd = places.moved.placeOf(agentId, info.cwd);
    const worktree = places.worktreeAt(cwd);
    return { cwd, moved: cwd !== info.cwd, gone: places.gone.has(cwd), worktree };
  }

  hidden(titles: readonly string[]): ReadonlySet<string> {
    return this.#parts.rules.hidden(titles);
  }

  /** True when the session was opened or closed since the last call. */
  #noteOpen(session: Session): boolean {
    const { agent, info } = session;
    const isOpen = this.#parts.sessions.find(agent.id, info.sessionId) !== undefined;
    if (isOpen === this.#open.has(session)) {
      return false;
    }
    if (isOpen) {
      this.#open.add(session);
    } else {
      this.#open.delete(session);
    }
    return true;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
