import * as vscode from 'vscode';
import type { Sessions } from '../../model/session/sessions';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { ReviewLoader } from './loader';
import { type UndoRestoreServices, undoRestore } from './restoring/undoRestore';

export interface ReviewCommands {
  readonly review: ReviewLoader;
  readonly panels: TranscriptPanels;
  readonly sessions: Sessions;
}

type Decision = 'keep' | 'undo';

/** A session or one of its turns, as links and transcripts name it. */
interface NamedTurn {
  readonly agentId: string;
  readonly sessionId: string;
  readonly turn?: number;
}

/** "Review Changes": of the session that is named, otherwise of the active transcript; without one, of all. */
export async function reviewChanges(
  { review, panels }: ReviewCommands,
  argument: unknown,
): Promise<void> {
  const reviewing = await review.load();
  const named = namedTurn(argument);
  const session = panels.active?.session;
  if (named !== undefined) {
    await reviewing.review(named.agentId, named.sessionId, named.turn);
  } else if (isNothing(argument) && session) {
    await reviewing.reviewOwn(session.agent.id, session.info.sessionId);
  } else {
    await reviewing.reviewAll(argument);
  }
}

/**
 * "Keep All Changes" and "Undo All Changes…": of a session, a turn, a group, an editor of changes, the active
 * transcript, or of all sessions.
 */
export async function decideAll(
  { review, panels }: ReviewCommands,
  decision: Decision,
  argument: unknown,
): Promise<void> {
  const reviewing = await review.load();
  const named = namedTurn(argument);
  const session = panels.active?.session;
  if (named !== undefined) {
    await reviewing.decideSession(decision, named.agentId, named.sessionId, named.turn);
  } else if (isNothing(argument) && session) {
    await reviewing.decideSession(decision, session.agent.id, session.info.sessionId);
  } else {
    await reviewing.decideAll(decision, argument);
  }
}

export async function decideFiles(
  { review }: ReviewCommands,
  decision: Decision,
  rows: readonly unknown[],
): Promise<void> {
  await (await review.load()).decideFiles(decision, rows);
}

export async function openReviewedFiles(
  { review }: ReviewCommands,
  rows: readonly unknown[],
): Promise<void> {
  await (await review.load()).openFiles(rows);
}

/** The arguments are those of VS Code's menu of a change in an editor. */
export async function decideChange(
  { review }: ReviewCommands,
  decision: Decision,
  [uri, changes, index]: readonly unknown[],
): Promise<void> {
  await (await review.load()).decideChange(decision, uri, changes, index);
}

export async function decideAtCursor(
  { review }: ReviewCommands,
  decision: Decision,
): Promise<void> {
  await (await review.load()).decideAtCursor(decision);
}

export async function goToReviewed({ review }: ReviewCommands, by: 1 | -1): Promise<void> {
  await (await review.load()).move(by);
}

/** "Follow Agent": that of the active transcript, otherwise the one that was followed last. */
export async function followAgent({ review, panels, sessions }: ReviewCommands): Promise<void> {
  const { agent, info } = panels.active?.session ?? {};
  const session = agent && info && sessions.find(agent.id, info.sessionId);
  (await review.load()).follow(session);
}

export async function stopFollowing({ review }: ReviewCommands): Promise<void> {
  (await review.load()).following.end();
}

/** "Undo Restore or Undo All": of the session that is named, otherwise of the active transcript. */
export async function undoLastDecision(
  services: UndoRestoreServices & Pick<ReviewCommands, 'panels'>,
  argument: unknown,
): Promise<void> {
  const { agent, info } = services.panels.active?.session ?? {};
  const active = agent && info && { agentId: agent.id, sessionId: info.sessionId };
  await undoRestore(services, namedTurn(argument) ?? active);
}

function namedTurn(argument: unknown): NamedTurn | undefined {
  const { agentId, sessionId, turn } = (argument ?? {}) as Record<string, unknown>;
  return typeof agentId === 'string' && typeof sessionId === 'string'
    ? { agentId, sessionId, ...(typeof turn === 'number' && { turn }) }
    : undefined;
}

/** Menus of an editor's title pass the URI of the editor. */
function isNothing(argument: unknown): boolean {
  return argument === undefined || argument === null || argument instanceof vscode.Uri;
}
