import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import { getKey } from '../../model/list/sessionInfo';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage, showWarningMessage } from '../../platform/ui/messages';
import { getRef } from '../../shared/sessionRef';
import { findNear, findPlace, findSession, type PlaceServices } from './commentPlaces';
import { type CommentThreads, type Owned, Paragraph } from './commentThreads';
import { type FollowDocuments, linesOf, textOf } from './followDocuments';
import { type Comment, keptText } from './model/comment';
import { getSuggestion } from './model/commentPrompt';
import type { CommentStore } from './model/commentStore';

export interface CommentParts extends PlaceServices {
  readonly comments: CommentStore;
  readonly threads: CommentThreads;
  readonly follow: FollowDocuments;
}

/** "Comment for Agent": begins a comment on the selected lines. */
export async function comment(parts: CommentParts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void showInformationMessage(l10n.t('Select lines in an editor first.'));
    return;
  }
  const { start, end } = editor.selection;
  const isNextLine = end.line > start.line && end.character === 0;
  const lines = { first: start.line, last: isNextLine ? end.line - 1 : end.line };
  const { uri } = editor.document;
  const place = await findPlace(parts, uri);
  const session = place && (await findSession(parts, place));
  if (session === undefined) {
    sayNoSession();
  } else {
    await parts.threads.begin(uri, lines, session.title);
  }
}

/** Saves what the user has written below lines, or as a reply: the comment then waits to be sent. */
export async function saveComment(parts: CommentParts, argument: unknown): Promise<void> {
  const reply = readReply(argument);
  if (reply !== undefined && reply.text.trim() !== '') {
    await save(parts, reply.thread, reply.text);
  }
}

/** "Suggest Change": adds the lines to what is being written, for the user to change them there. */
export async function suggestLines(parts: CommentParts, argument: unknown): Promise<void> {
  const reply = readReply(argument);
  const thread = argument instanceof Paragraph ? argument.thread : reply?.thread;
  if (thread?.range === undefined) {
    return;
  }
  const { start, end } = thread.range;
  const document = await vscode.workspace.openTextDocument(thread.uri);
  const lines = { first: start.line, last: end.line };
  const suggestion = getSuggestion(textOf(lines, linesOf(document)));
  const written = argument instanceof Paragraph ? textIn(argument) : (reply?.text ?? '');
  const said = written.trim() === '' ? suggestion : `${written}\n\n${suggestion}`;
  if (argument instanceof Paragraph) {
    parts.threads.edit(argument, said);
  } else if (await save(parts, thread, said)) {
    const last = thread.comments.at(-1);
    if (last instanceof Paragraph) {
      parts.threads.edit(last);
    }
  }
}

async function save(
  parts: CommentParts,
  thread: vscode.CommentThread,
  said: string,
): Promise<boolean> {
  const { comments, threads, follow } = parts;
  const owned = threads.owned(thread);
  const known = owned && comments.get(owned.session, owned.id);
  if (owned !== undefined && known !== undefined) {
    return keepComment(
      comments.replace(owned.session, unsent({ ...known, said: [...known.said, said] })),
    );
  }
  const place = await findPlace(parts, thread.uri);
  const session = place && (await findSession(parts, place));
  if (place === undefined || session === undefined || thread.range === undefined) {
    sayNoSession();
    return false;
  }
  const { session: _, ...where } = place;
  const { start, end } = thread.range;
  const document = await vscode.workspace.openTextDocument(thread.uri);
  const saved = toSavedTranscript(session);
  const lines = { first: start.line, last: end.line };
  const text = keptText(textOf(lines, linesOf(document)));
  follow.begin(document);
  return keepComment(
    comments.add(saved, { ...where, ...lines, text, said: [said] }, (added) =>
      threads.adopt(thread, saved, added),
    ),
  );
}

/** A comment that says more than what was sent waits to be sent again. */
function unsent(comment: Comment): Comment {
  const { began: _, sentText: __, ...rest } = comment;
  return { ...rest, state: 'unsent' };
}

export function resolveComment(parts: CommentParts, argument: unknown): void {
  change(parts, argument, (known) => ({ ...known, state: 'resolved' }));
}

export function reopenComment(parts: CommentParts, argument: unknown): void {
  change(parts, argument, (known) => ({
    ...known,
    state: known.began === undefined ? 'unsent' : 'sent',
  }));
}

/** Deletes a comment, or one that isn't saved yet. */
export function deleteComment({ comments, threads }: CommentParts, argument: unknown): void {
  const thread = readThread(argument);
  const owned = thread && threads.owned(thread);
  if (owned !== undefined) {
    comments.remove(owned.session, owned.id);
  } else if (thread !== undefined) {
    threads.discard(thread);
  }
}

export function editComment({ threads }: CommentParts, argument: unknown): void {
  if (argument instanceof Paragraph) {
    threads.edit(argument);
  }
}

/** Saves what is in the editor of a paragraph; a new comment is kept from then on. */
export async function saveEditedComment(parts: CommentParts, argument: unknown): Promise<void> {
  if (!(argument instanceof Paragraph)) {
    return;
  }
  const { comments, threads } = parts;
  const { thread, index } = argument;
  const text = textIn(argument);
  const owned = threads.owned(thread);
  if (owned === undefined) {
    if (text.trim() === '') {
      threads.discard(thread);
    } else if (!(await save(parts, thread, text))) {
      threads.edit(argument, text);
    }
    return;
  }
  const known = comments.get(owned.session, owned.id);
  if (known === undefined) {
    return;
  }
  const said = known.said
    .map((each, at) => (at === index ? text : each))
    .filter((each) => each.trim() !== '');
  if (said.length === 0) {
    comments.remove(owned.session, owned.id);
  } else if (text === known.said[index]) {
    threads.restore(thread);
  } else if (!keepComment(comments.replace(owned.session, unsent({ ...known, said })))) {
    threads.edit(argument, text);
  }
}

/** "For Another Session…": gives a comment that waits to another open session that has the file in its folders. */
export async function moveComment(parts: CommentParts, argument: unknown): Promise<void> {
  const { comments, threads } = parts;
  const thread = readThread(argument);
  const owned = thread && threads.owned(thread);
  const known = owned && comments.get(owned.session, owned.id);
  if (thread === undefined || owned === undefined || known === undefined) {
    return;
  }
  const near = await findNear(parts, known.file);
  const others = near.filter((session) => getKey(getRef(session)) !== getKey(owned.session));
  if (others.length === 0) {
    void showInformationMessage(l10n.t('No other open session has this file in its folders.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(
    others.map((session) => ({
      label: cleanText(session.title, 120),
      description: cleanText(session.agent.title, 60),
      session,
    })),
    { title: l10n.t('Comment for Another Session'), placeHolder: l10n.t('For which session?') },
  );
  const current = comments.get(owned.session, owned.id);
  if (picked === undefined || current === undefined) {
    return;
  }
  const saved = toSavedTranscript(picked.session);
  const { id, state: _, ...rest } = unsent(current);
  if (keepComment(comments.add(saved, rest, (added) => threads.adopt(thread, saved, added)))) {
    comments.remove(owned.session, id);
  }
}

/** Leaves a paragraph as it was; a new comment is gone. */
export function cancelEditedComment({ threads }: CommentParts, argument: unknown): void {
  if (argument instanceof Paragraph) {
    const { thread } = argument;
    if (threads.owned(thread) === undefined) {
      threads.discard(thread);
    } else {
      threads.restore(thread);
    }
  }
}

/** The comment of a thread that VS Code names. */
export function findOwned({ threads }: CommentParts, argument: unknown): Owned | undefined {
  const thread = readThread(argument);
  return thread && threads.owned(thread);
}

function change(parts: CommentParts, argument: unknown, make: (known: Comment) => Comment): void {
  const owned = findOwned(parts, argument);
  const known = owned && parts.comments.get(owned.session, owned.id);
  if (owned !== undefined && known !== undefined) {
    parts.comments.replace(owned.session, make(known));
  }
}

function readReply(argument: unknown): vscode.CommentReply | undefined {
  const reply = argument as Partial<vscode.CommentReply> | undefined;
  const thread = readThread(reply?.thread);
  return thread !== undefined && typeof reply?.text === 'string'
    ? { thread, text: reply.text }
    : undefined;
}

function readThread(argument: unknown): vscode.CommentThread | undefined {
  const named = argument as Partial<vscode.CommentThread & vscode.CommentReply> | null | undefined;
  if (named?.thread !== undefined) {
    return named.thread;
  }
  return named?.uri !== undefined && Array.isArray(named.comments)
    ? (named as vscode.CommentThread)
    : undefined;
}

function textIn({ body }: Paragraph): string {
  return typeof body === 'string' ? body : body.value;
}

/** Tells the user if a comment couldn’t be kept. */
export function keepComment(isKept: boolean): boolean {
  if (!isKept) {
    void showWarningMessage(
      l10n.t('This comment is too long, or there are too many. Delete some that are done.'),
    );
  }
  return isKept;
}

/** Tells the user why there is no session for a comment. */
export function sayNoSession(): void {
  void showInformationMessage(
    l10n.t('Open a session that has this file in its folders, to comment on it.'),
  );
}
