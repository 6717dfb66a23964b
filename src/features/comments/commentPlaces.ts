import * as vscode from 'vscode';
import type { ProvidedReviews } from '../../model/changes/providedReviews';
import type { Session } from '../../model/session/session';
import type { Sessions } from '../../model/session/sessions';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { Comment } from './model/comment';

export interface PlaceServices {
  readonly sessions: Pick<Sessions, 'all' | 'find'>;
  readonly panels: Pick<TranscriptPanels, 'recent'>;
  readonly reviews: Pick<ProvidedReviews, 'all' | 'of' | 'actions'>;
  readonly documents: Pick<ReadOnlyDocuments, 'stateOf'>;
}

/** The file that a document is, or whose state it shows. */
interface Place extends Pick<Comment, 'file' | 'document' | 'isBefore'> {
  /** The session whose change it belongs to. */
  readonly session?: SessionRef;
}

/** The document that a comment's lines are in. */
export function documentOf({ file, document }: Pick<Comment, 'file' | 'document'>): vscode.Uri {
  return document === undefined ? vscode.Uri.file(file) : vscode.Uri.parse(document, true);
}

/** What a document is, if lines of it can be commented on. */
export async function findPlace(
  { documents, reviews }: PlaceServices,
  uri: vscode.Uri,
): Promise<Place | undefined> {
  if (uri.scheme === 'file') {
    return { file: uri.fsPath };
  }
  const document = uri.toString();
  const reviewed =
    uri.scheme === 'acp-review' ? (await reviews.actions())?.about(document) : undefined;
  const state = reviewed ?? documents.stateOf(uri);
  return (
    state && {
      ...{ file: state.file, document },
      ...(state.side === 'before' && { isBefore: true as const }),
      ...(reviewed && { session: reviewed.session }),
    }
  );
}

/**
 * The open session that comments in this place are for: the one whose change it is, otherwise one that has changed the
 * file, or has it in its folders; of several, the one whose tab was active last.
 */
export async function findSession(
  { sessions, panels, reviews }: PlaceServices,
  place: Place,
): Promise<Session | undefined> {
  if (place.session !== undefined) {
    const { agentId, sessionId } = place.session;
    return openIn(sessions).find((session) => session === sessions.find(agentId, sessionId));
  }
  const near = await findNear({ sessions }, place.file);
  const changed = near.filter(({ agent, info }) =>
    reviews.of(agent.id, info.sessionId)?.pending.some(({ file }) => file === place.file),
  );
  const recent = panels.recent && getRef(panels.recent.session);
  const best = changed.length > 0 ? changed : near;
  return (
    best.find(
      ({ agent, info }) => agent.id === recent?.agentId && info.sessionId === recent.sessionId,
    ) ?? best[0]
  );
}

/** The open sessions that have a file in their folders. */
export async function findNear(
  { sessions }: Pick<PlaceServices, 'sessions'>,
  file: string,
): Promise<readonly Session[]> {
  const open = openIn(sessions);
  const reached = await Promise.all(open.map((session) => session.acts.reach.has(file)));
  return open.filter((_, index) => reached[index]);
}

function openIn(sessions: PlaceServices['sessions']): readonly Session[] {
  return sessions.all.filter((session) => session.writable.kind === 'yes');
}
