import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import type { SessionRef } from '../../shared/sessionRef';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import { type CommentParts, findOwned } from './commentActions';
import type { Comment, SessionComments } from './model/comment';
import { getDraft } from './model/commentPrompt';

export interface SendingParts extends CommentParts {
  readonly panels: Pick<TranscriptPanels, 'recent' | 'find' | 'bringBack'>;
}

/** "Send Comments": sends what waits to its session, or queues it if a turn is running. */
export async function sendComments(parts: SendingParts, argument: unknown): Promise<void> {
  await sendTo(parts, findOwned(parts, argument)?.session);
}

/** Sends what waits to a session, otherwise to one that the user chooses if there are several. */
export async function sendTo(parts: SendingParts, to: SessionRef | undefined): Promise<void> {
  const chosen = await chooseComments(parts, to);
  if (chosen === undefined) {
    return;
  }
  const { saved, comments } = chosen;
  await openTab(parts, chosen);
  const session = parts.sessions.find(saved.agentId, saved.sessionId);
  if (session === undefined || session.writable.kind === 'no') {
    const reason = session?.writable.kind === 'no' ? session.writable.reason : undefined;
    void showInformationMessage(reason ?? l10n.t('This session can’t be opened.'));
    return;
  }
  const nameOf = (file: string): string => nameIn(saved.cwd, file);
  session.turns.submit(getDraft(comments, nameOfComments(comments.length), nameOf));
}

/** "Show Turn": goes to the prompt with which a comment was sent. */
export async function showCommentedTurn(parts: SendingParts, argument: unknown): Promise<void> {
  const owned = findOwned(parts, argument);
  const known = parts.comments.all.find(
    ({ saved }) =>
      saved.agentId === owned?.session.agentId && saved.sessionId === owned.session.sessionId,
  );
  const began = owned && parts.comments.get(owned.session, owned.id)?.began;
  if (known === undefined || began === undefined) {
    return;
  }
  const panel = await openTab(parts, known);
  const index =
    panel?.session.shown.entries.findLastIndex(
      // A prompt that was sent into a running turn is within it.
      (entry) => entry.kind === 'user' && entry.turn !== undefined && entry.turn.began <= began,
    ) ?? -1;
  if (index < 0) {
    void showInformationMessage(l10n.t('This turn isn’t in the transcript any more.'));
  } else {
    panel?.reveal(index);
  }
}

/** A number of comments, as an attachment is called. */
export function nameOfComments(count: number): string {
  return count === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', count);
}

/** The comments that wait to be sent. */
export function unsentOf(comments: readonly Comment[]): readonly Comment[] {
  return comments.filter(({ state }) => state === 'unsent');
}

/** A file's path in a folder, otherwise all of it. */
export function nameIn(folder: string, file: string): string {
  const name = path.relative(folder, file);
  return name.startsWith('..') || path.isAbsolute(name) ? file : name.split(path.sep).join('/');
}

/** What waits for one session: a given one, the only one, the one whose tab was active last, or the user's choice. */
async function chooseComments(
  { comments, panels }: SendingParts,
  session: SessionRef | undefined,
): Promise<SessionComments | undefined> {
  const waiting = comments.all
    .map(({ saved, comments: all }) => ({ saved, comments: unsentOf(all) }))
    .filter(
      ({ saved, comments: unsent }) =>
        unsent.length > 0 &&
        (session === undefined ||
          (session.agentId === saved.agentId && session.sessionId === saved.sessionId)),
    );
  const [only, ...others] = waiting;
  if (only === undefined) {
    void showInformationMessage(l10n.t('No comments wait to be sent.'));
    return undefined;
  }
  if (others.length === 0) {
    return only;
  }
  const recent = panels.recent?.session;
  const own = waiting.find(
    ({ saved }) => saved.agentId === recent?.agent.id && saved.sessionId === recent.info.sessionId,
  );
  const first = own === undefined ? waiting : [own, ...waiting.filter((one) => one !== own)];
  const picked = await vscode.window.showQuickPick(
    first.map((one) => ({
      label: cleanText(one.saved.title, 120),
      description: nameOfComments(one.comments.length),
      chosen: one,
    })),
    { title: l10n.t('Send Comments'), placeHolder: l10n.t('To which session?') },
  );
  return picked?.chosen;
}

async function openTab(
  { panels }: SendingParts,
  { saved }: SessionComments,
): Promise<TranscriptPanel | undefined> {
  await panels.bringBack(saved, { preview: false });
  const panel = panels.find(saved.agentId, saved.sessionId);
  panel?.panel.reveal();
  return panel;
}
