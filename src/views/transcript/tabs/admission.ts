import type * as vscode from 'vscode';
import type { Agent, SessionList, SessionRow } from '../../../model/agent';
import type { Agents } from '../../../model/agents/agents';
import { agentRemoved, sessionUnknown, uriUnreadable } from '../../../model/failures/failures';
import { sessionKey } from '../../../model/list/sessionInfo';
import type { Sessions } from '../../../model/session/sessions';
import type { Failure } from '../../../shared/failure';
import type { SessionRef } from '../../../shared/sessionRef';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { readTranscriptUri, titleInUri } from '../../tabs/transcriptUri';
import type { OpenedSessions } from './openedSessions';

/** The session that a transcript's URI leads to, or the reason why there is none. */
export type Admitted =
  | { readonly kind: 'session'; readonly agent: Agent; readonly info: SessionRow['info'] }
  | { readonly kind: 'none'; readonly saved: SavedTranscript; readonly failure: Failure };

/** A session that may be opened, and its agent. */
export interface KnownSession {
  readonly agent: Agent;
  readonly info: SessionRow['info'];
}

export interface AdmissionServices {
  readonly agents: Pick<Agents, 'get'>;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly tree: { readonly lists: readonly SessionList[] };
  readonly opened: Pick<OpenedSessions, 'get' | 'all'>;
}

/**
 * Decides which session a URI may open. Anyone can make up a URI, for example in a document's link, so it grants
 * no rights: it leads to a session that is open, listed, or was opened here before, with the folders known for
 * that session.
 */
export class Admission {
  readonly #services: AdmissionServices;

  constructor(services: AdmissionServices) {
    this.#services = services;
  }

  admit(uri: vscode.Uri): Admitted {
    const { agents, opened } = this.#services;
    const title = titleInUri(uri);
    const named = readTranscriptUri(uri);
    if (named === undefined) {
      const sessionId = uri.toString().slice(0, 1_000);
      const saved = { agentId: '', sessionId, cwd: '', additionalDirectories: [], title };
      return { kind: 'none', saved, failure: uriUnreadable() };
    }
    const { agentId } = named;
    const before = opened.get(named);
    const saved = before ?? { ...named, additionalDirectories: [], title };
    const agent = agents.get(agentId);
    if (agent === undefined) {
      return { kind: 'none', saved, failure: agentRemoved(agentId) };
    }
    const info = this.find(named);
    return info === undefined
      ? { kind: 'none', saved, failure: sessionUnknown(agent.title) }
      : { kind: 'session', agent, info };
  }

  /** A session that is open, listed, or was opened here before. */
  find(named: SessionRef): SessionRow['info'] | undefined {
    const { agents, sessions, opened } = this.#services;
    const agent = agents.get(named.agentId);
    return (
      sessions.find(named.agentId, named.sessionId)?.info ??
      (agent && this.#listed(agent, named.sessionId)) ??
      opened.get(named)
    );
  }

  /** All that are listed or were opened here before, open or not; what a list says counts. */
  get known(): readonly KnownSession[] {
    const { agents, opened, tree } = this.#services;
    const before = opened.all.flatMap((info): readonly KnownSession[] => {
      const agent = agents.get(info.agentId);
      return agent === undefined ? [] : [{ agent, info }];
    });
    const listed = tree.lists.flatMap(({ agent, rows }) =>
      rows.map(({ info }) => ({ agent, info })),
    );
    const all = [...before, ...listed].map(
      (one) => [sessionKey(one.agent.id, one.info.sessionId), one] as const,
    );
    return [...new Map(all).values()];
  }

  #listed(agent: Agent, sessionId: string): SessionRow['info'] | undefined {
    for (const list of this.#services.tree.lists) {
      const row = list.agent === agent ? list.find(sessionId) : undefined;
      if (row !== undefined) {
        return row.info;
      }
    }
    return undefined;
  }
}
