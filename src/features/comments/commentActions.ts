import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import { showInformationMessage, showWarningMessage } from '../../platform/ui/messages';
import { findPlace, findSession, type PlaceServices } from './commentPlaces';
import { type CommentThreads, type Owned, Paragraph } from './commentThreads';
import type { FollowDocuments } from './followDocuments';
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

/** "Suggest Change": saves a comment with the lines, in an editor where the user changes them. */
export async function suggestLines(parts: CommentParts, argument: unknown): Promise<void> {
  const reply = readReply(argument);
  const range = reply?.thread.range;
  if (reply === undefined || range === undefined) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(reply.thread.uri);
  const suggestion = getSuggestion(textOf(document, range.start.line, range.end.line));
  const said = reply.text.trim() === '' ? suggestion : `${reply.text}\n\n${suggestion}`;
  if (await save(parts, reply.thread, said)) {
    const last = reply.thread.comments.at(-1);
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
  const text = keptText(textOf(document, start.line, end.line));
  const lines = { first: start.line, last: end.line };
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
  } else {
    thread?.dispose();
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
  const { thread, index, body } = argument;
  const text = typeof body === 'string' ? body : body.value;
  const owned = threads.owned(thread);
  if (owned === undefined) {
    if (text.trim() === '') {
      thread.dispose();
    } else {
      await save(parts, thread, text);
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
  } else {
    keepComment(comments.replace(owned.session, unsent({ ...known, said })));
  }
}

/** Leaves a paragraph as it was; a new comment is gone. */
export function cancelEditedComment({ threads }: CommentParts, argument: unknown): void {
  if (argument instanceof Paragraph) {
    const { thread } = argument;
    if (threads.owned(thread) === undefined) {
      thread.dispose();
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

/** The text of lines, counted from 0, both inclusive. */
export function textOf(document: vscode.TextDocument, first: number, last: number): string {
  return document
    .getText()
    .split(/\r\n|\r|\n/)
    .slice(first, last + 1)
    .join('\n');
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
