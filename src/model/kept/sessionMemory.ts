import type { SessionInfo } from '../../protocol/agentConnection';
import type { Entry } from '../../shared/transcript/entries';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { getStack } from '../../util/getStack';
import type { RememberedSessions } from '../list/rememberedSessions';
import type { Log } from '../ports';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import { cleanText } from '../text/titles';

/** Maximum length of a title, in UTF-16 units. */
const maxTitleLength = 120;
/** Number of entries that are searched for a session's first prompt. */
const maxEntries = 20;

/**
 * Stands in for the list of agents that can't list their sessions: titles a session by its first
 * prompt, and remembers it if the agent can open it again. A session with neither a title nor a prompt
 * isn't remembered.
 */
export class SessionMemory implements Disposable {
  readonly #remembered: RememberedSessions;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #store = new DisposableStore();

  constructor(
    sessions: Pick<Sessions, 'onDidChange' | 'onDidHappen'>,
    remembered: RememberedSessions,
    log: Log,
    now: () => number = Date.now,
  ) {
    this.#remembered = remembered;
    this.#log = log;
    this.#now = now;
    this.#store.add(sessions.onDidChange((session) => this.#note(session)));
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
    const { agent, info } = session;
    if (agent.state.kind !== 'ready' || agent.supports('list') || !session.isLive) {
      return;
    }
    const title = info.title ?? firstPrompt(session.transcript.entries);
    if (title === undefined) {
      return;
    }
    if (info.title === undefined) {
      agent.lists.push(info.sessionId, { title });
      session.setInfo({ ...info, title });
    }
    if (agent.supports('load') || agent.supports('resume')) {
      this.#keep(agent.id, { ...info, title }, changedAt);
    }
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

function firstPrompt(entries: readonly Entry[]): string | undefined {
  return entries
    .slice(0, maxEntries)
    .map((entry) => (entry.kind === 'user' && !entry.command ? entry.blocks : []))
    .map((blocks) => blocks.map((block) => (block.type === 'text' ? block.text : '')).join(' '))
    .map((text) => cleanText(text, maxTitleLength))
    .find((title) => title !== '');
}
