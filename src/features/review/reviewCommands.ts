import * as vscode from 'vscode';
import { sessionNode } from '../../commands/session/sessionTarget';
import { findEntry } from '../../commands/transcript/findEntry';
import type { Sessions } from '../../model/session/sessions';
import { getRef, type SessionRef } from '../../shared/sessionRef';
import { isObject } from '../../util/json';
import { choiceLabels, type Previews } from '../../views/previews/previews';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { AskForReviewServices } from './asking/askForReview';
import { askToTakeBack, type TakeBackServices } from './asking/takeBack';
import type { Decision } from './model/review';
import type { Reviewing } from './reviewing';

type Panels = Pick<TranscriptPanels, 'active'>;

/** A session or one of its turns, as links and transcripts name it. */
interface NamedTurn extends SessionRef {
  readonly turn?: number;
}

/** "Review Changes": of the session that is named, otherwise of the active transcript; without one, of all. */
export async function reviewChanges(
  reviewing: Reviewing,
  panels: Panels,
  argument: unknown,
): Promise<void> {
  const named = namedTurn(argument);
  const active = activeIn(panels);
  if (named !== undefined) {
    await reviewing.show(named, named.turn);
  } else if (isNothing(argument) && active !== undefined) {
    await reviewing.reviewOwn(active);
  } else {
    await reviewing.reviewAll(argument);
  }
}

/**
 * "Ask Another Agent to Review…": about the session of a row, a turn in the active transcript, what the active editor
 * of changes shows, or the session of the active transcript.
 */
export async function askAnotherAgent(
  reviewing: Reviewing,
  services: AskForReviewServices,
  argument: unknown,
): Promise<void> {
  const row = sessionNode(services.tree, argument);
  const turn = findTurn(argument);
  const session =
    namedTurn(argument) ??
    (row && { agentId: row.list.agent.id, sessionId: row.row.info.sessionId }) ??
    (turn === undefined && reviewing.shown ? undefined : activeIn(services.panels));
  await reviewing.askForReview(
    services,
    session && { ...(turn !== undefined && { turn }), ...session },
  );
}

/**
 * "Keep All Changes" and "Undo All Changes…": of a session, a turn, a group, an editor of changes, the active
 * transcript, or of all sessions.
 */
export async function decideAll(
  reviewing: Reviewing,
  panels: Panels,
  decision: Decision,
  argument: unknown,
): Promise<void> {
  const named = namedTurn(argument);
  const active = activeIn(panels);
  if (named !== undefined) {
    await reviewing.decideSession(decision, named, named.turn);
  } else if (isNothing(argument) && active !== undefined) {
    await reviewing.decideSession(decision, active);
  } else {
    await reviewing.decideAll(decision, argument);
  }
}

/**
 * "Keep Change" and "Undo Change": the one that VS Code's menu of a change in an editor names, otherwise the one at the
 * cursor.
 */
export async function decideChange(
  reviewing: Reviewing,
  decision: Decision,
  [uri, changes, index]: readonly unknown[],
): Promise<void> {
  await (Array.isArray(changes)
    ? reviewing.decideChange(decision, uri, changes, index)
    : reviewing.decideAtCursor(decision));
}

/** "Answer Preview…": a key chooses the first button of the active preview; otherwise the user is asked for one. */
export async function answerPreview(previews: Previews, argument: unknown): Promise<void> {
  const choices = previews.active?.choices ?? [];
  if (argument === 'first') {
    await previews.answer(choices[0]);
    return;
  }
  const items = choices.map((choice) => ({ label: choiceLabels[choice], choice }));
  const title = previews.active?.title ?? '';
  const picked = await vscode.window.showQuickPick(items, { title });
  if (picked !== undefined) {
    await previews.answer(picked.choice);
  }
}

/** "Restore to Before This Turn…", from the context menu of a prompt. */
export async function restoreBeforeTurn(panels: Panels, argument: unknown): Promise<void> {
  const index = findEntry(argument);
  if (index !== undefined) {
    await panels.active?.restoreBefore(index);
  }
}

/** "Follow Agent": that of the active transcript, otherwise the one that was followed last. */
export function followAgent(
  reviewing: Reviewing,
  { panels, sessions }: { readonly panels: Panels; readonly sessions: Sessions },
): void {
  const active = activeIn(panels);
  reviewing.follow(active && sessions.find(active.agentId, active.sessionId));
}

/** "Undo Restore or Undo All": of the session that is named, otherwise of the active transcript. */
export async function takeBackLastDecision(
  services: TakeBackServices & { readonly panels: Panels },
  argument: unknown,
): Promise<void> {
  await askToTakeBack(services, namedTurn(argument) ?? activeIn(services.panels));
}

function activeIn({ active }: Panels): SessionRef | undefined {
  return active && getRef(active.session);
}

function namedTurn(argument: unknown): NamedTurn | undefined {
  const { agentId, sessionId, turn } = (argument ?? {}) as Record<string, unknown>;
  return typeof agentId === 'string' && typeof sessionId === 'string'
    ? { agentId, sessionId, ...(typeof turn === 'number' && { turn }) }
    : undefined;
}

/** The recorded turn that an entry of a transcript belongs to. */
function findTurn(argument: unknown): number | undefined {
  const turn = isObject(argument) ? argument['acpSessionsReviewed'] : undefined;
  return typeof turn === 'number' ? turn : undefined;
}

/** Menus of an editor's title pass the URI of the editor. */
function isNothing(argument: unknown): boolean {
  return argument === undefined || argument === null || argument instanceof vscode.Uri;
}
