import type { SessionInfo } from '../../protocol/agentConnection';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { getStack } from '../../util/getStack';
import { findPromptTitle, type PromptTitles } from '../list/promptTitles';
import type { RememberedSessions } from '../list/rememberedSessions';
import type { Log } from '../ports';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import { saysTitle } from '../text/titles';

/**
 * Titles sessions by their first prompt while their agents give them no title, and stands in for the list of agents that
 * can't list their sessions: remembers those that the agent can open again. A session with neither a title nor a prompt
 * isn't remembered.
 */
export class SessionMemory implements Disposable {
  readonly #remembered: RememberedSessions;
  readonly #titles: PromptTitles;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #store = new DisposableStore();

  constructor(
    sessions: Pick<Sessions, 'onDidChange' | 'onDidHappen' | 'onDidDelete'>,
    remembered: RememberedSessions,
    titles: PromptTitles,
    log: Log,
    now: () => number = Date.now,
  ) {
    this.#remembered = remembered;
    this.#titles = titles;
    this.#log = log;
    this.#now = now;
    this.#store.add(sessions.onDidChange((session) => this.#note(session)));
    // The agent may give its id to another one.
    this.#store.add(sessions.onDidDelete((session) => this.#setTitle(session, undefined)));
    this.#store.add(
      sessions.onDidHappen(({ session, kind }) => {
        if (kind !== 'needsAnswer') {
          this.#note(session, new Date(this.#now()).toISOString());
        }
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** `changedAt`: when a turn has just ended in it, as an ISO timestamp. */
  #note(session: Session, changedAt?: string): void {
    const { agent } = session;
    if (agent.state.kind !== 'ready' || !session.isLive || !this.#noteTitle(session)) {
      return;
    }
    if (!agent.supports('list') && (agent.supports('load') || agent.supports('resume'))) {
      this.#keep(agent.id, session.info, changedAt);
    }
  }

  /** Returns whether the session has a title, of its agent or by its first prompt. */
  #noteTitle(session: Session): boolean {
    const { agent } = session;
    const { title, ...info } = session.info;
    const ref = getRef(session);
    const known = this.#titles.of(ref);
    // A tab that comes back has its title from here.
    if (saysTitle(title) && title !== known) {
      this.#setTitle(ref, undefined);
      return true;
    }
    const promptTitle = known ?? findPromptTitle(session.transcript.entries);
    if (promptTitle !== known) {
      this.#setTitle(ref, promptTitle);
      // Nothing new of the agent, but its row has a title now.
      agent.lists.push(info.sessionId, {});
    }
    if (promptTitle !== undefined && (title === known || info.promptTitle !== promptTitle)) {
      session.setInfo({ ...info, promptTitle });
    }
    return promptTitle !== undefined;
  }

  #setTitle(session: SessionRef, title: string | undefined): void {
    this.#titles.set(session, title).catch((error: unknown) => {
      this.#log.warn(`${session.agentId}: a title was not stored: ${getStack(error)}`);
    });
  }

  #keep(agentId: string, info: SessionInfo, changedAt: string | undefined): void {
    const { sessionId, title } = info;
    const known = this.#remembered.of(agentId).find((other) => other.sessionId === sessionId);
    const updatedAt = changedAt ?? known?.updatedAt ?? info.updatedAt;
    if (known !== undefined && known.title === title && known.updatedAt === updatedAt) {
      return;
    }
    // The path by which the agent knows the folder, which may have moved since.
    const cwd = known?.cwd ?? info.cwd;
    const kept = { ...info, cwd, ...(updatedAt !== undefined && { updatedAt }) };
    this.#remembered.keep(agentId, kept).catch((error: unknown) => {
      this.#log.warn(`${agentId}: a session was not remembered: ${getStack(error)}`);
    });
  }
}
