import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../../model/agents/agents';
import {
  agentNames,
  type NamedSession,
  sessionName,
  sessionTitle,
} from '../../../model/agents/whose';
import type { PendingFile } from '../../../model/changes/reviews';
import type { Sessions } from '../../../model/session/sessions';
import { cleanText, getLabel } from '../../../model/text/titles';
import { literalLine } from '../../../shared/literal';
import type { Reviews, SessionReview } from '../model/review';
import { baselineUri, emptyUri } from './baselineDocuments';
import { turnNames } from './turnNames';

/** A file of a session that waits for review. */
export interface Waiting {
  readonly review: SessionReview;
  readonly pending: PendingFile;
}

/** Names sessions, also those that aren't open. */
export interface Naming {
  readonly agents: Pick<Agents, 'get'>;
  readonly sessions: Pick<Sessions, 'find'>;
}

/** All files that wait, session by session. */
export function waitingFiles({ all }: Pick<Reviews, 'all'>): readonly Waiting[] {
  return all.flatMap((review) => review.pending.map((pending) => ({ review, pending })));
}

/** The changes of a file; of several sessions, those that were made last. */
export function waitingIn(reviews: Pick<Reviews, 'ofFile'>, file: string): Waiting | undefined {
  for (const review of reviews.ofFile(file)) {
    const pending = review.pending.find((candidate) => candidate.file === file);
    if (pending !== undefined) {
      return { review, pending };
    }
  }
  return undefined;
}

/** The name of a session in a sentence. */
export function getName(review: SessionReview, naming: Naming): string {
  return sessionName(named(review, naming));
}

/** The name of a session in a title or a list. */
export function getTitle(review: SessionReview, naming: Naming): string {
  return sessionTitle(named(review, naming));
}

/** The name of a session; if it isn't open, its first prompt names it. */
function named({ agentId, sessionId, turns }: SessionReview, naming: Naming): NamedSession {
  const title = naming.sessions.find(agentId, sessionId)?.title ?? getLabel(turns[0]?.prompt);
  const agent = naming.agents.get(agentId) ?? { title: agentId, isOnly: false };
  return { title, agent };
}

/** "Claude, turn 2", or without the agent if it is the only one. */
export function whoseTurn({ review, pending }: Waiting, { agents, sessions }: Naming): string {
  const agent = agents.get(review.agentId);
  return [
    agent === undefined ? '' : agentNames([agent]),
    turnNames(review, pending.turns, sessions),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The name of a file, safe to show in a sentence. */
export function fileName(file: string): string {
  return cleanText(literalLine(path.basename(file)), 80);
}

const maxPathLength = 120;

/** The path of a file in the workspace, safe to show in a line. */
export function filePath(file: string): string {
  const text = literalLine(vscode.workspace.asRelativePath(file));
  // Of a long one, the name stays.
  return cleanText(text.length > maxPathLength ? `…${text.slice(-maxPathLength)}` : text, 200);
}

/** The two sides of a file's change; the right one is the file itself, unless it was deleted. */
export function getSides(
  { review, pending }: Waiting,
  since?: number,
): { readonly before: vscode.Uri; readonly now: vscode.Uri } {
  const { file, kind } = pending;
  return {
    before: kind === 'added' ? emptyUri(file) : baselineUri(review, pending, since),
    now: kind === 'deleted' ? emptyUri(file) : vscode.Uri.file(file),
  };
}

/** The command that shows a file's change; what isn't text is opened as it is. */
export function getChangeCommand(waiting: Waiting, selection?: vscode.Range): vscode.Command {
  const { pending } = waiting;
  if (pending.form !== 'text') {
    const uri = vscode.Uri.file(pending.file);
    return { title: '', command: 'vscode.open', arguments: [uri] };
  }
  const { before, now } = getSides(waiting);
  const title = l10n.t('{0} (Changes to Review)', fileName(pending.file));
  const options: vscode.TextDocumentShowOptions = {
    preview: true,
    ...(selection && { selection }),
  };
  return { title: '', command: 'vscode.diff', arguments: [before, now, title, options] };
}

/** Shows a file's change; what isn't text is opened as it is. */
export async function showChange(waiting: Waiting, selection?: vscode.Range): Promise<void> {
  const { command, arguments: args = [] } = getChangeCommand(waiting, selection);
  await vscode.commands.executeCommand(command, ...(args as unknown[]));
}
