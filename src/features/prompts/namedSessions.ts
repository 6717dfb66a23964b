import type { Agent, SessionList, SessionRow } from '../../model/agent';
import type { Sessions } from '../../model/session/sessions';
import { getLabel } from '../../model/text/titles';
import type { FoundSession } from '../../shared/prompt/promptProtocol';

/** A session that a prompt can name before its text. */
export interface NameableSession {
  readonly agent: Agent;
  readonly info: SessionRow['info'];
  readonly title: string;
}

/** The sources of known sessions. */
export interface SessionSources {
  readonly sessions: Pick<Sessions, 'all'>;
  readonly tree: { readonly lists: readonly SessionList[] };
}

/** Open sessions first, then those that are listed. */
function* known({ sessions, tree }: SessionSources): Generator<NameableSession> {
  yield* sessions.all;
  for (const { agent, rows } of tree.lists) {
    for (const { info, title } of rows) {
      yield { agent, info, title };
    }
  }
}

/** The session with this ID, if it is known. */
export function namedSession(from: SessionSources, sessionId: string): NameableSession | undefined {
  for (const session of known(from)) {
    if (session.info.sessionId === sessionId) {
      return session;
    }
  }
  return undefined;
}

/** The sessions whose title or ID contains every word of the query, each once. */
export function findSessions(
  from: SessionSources,
  query: string,
  limit: number,
): readonly FoundSession[] {
  const words = query.toLowerCase().split(/\s+/);
  const found = new Map<string, FoundSession>();
  for (const { agent, info, title } of known(from)) {
    const text = `${title} ${info.sessionId}`.toLowerCase();
    if (!found.has(info.sessionId) && words.every((word) => text.includes(word))) {
      found.set(info.sessionId, { id: info.sessionId, title, agent: getLabel(agent.title) });
    }
    if (found.size === limit) {
      break;
    }
  }
  return [...found.values()];
}
