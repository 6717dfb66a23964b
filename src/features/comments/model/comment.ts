import { createHash } from 'node:crypto';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { asArray, asString, isObject, parseJson } from '../../../util/json';
import { getBeginning } from '../../../util/textParts';

/** Lines of a text, counted from 0, both inclusive. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** What the user says about lines of a file, to one session. */
export interface Comment extends Lines {
  /** Unique in its session. */
  readonly id: string;
  /** Absolute path. */
  readonly file: string;
  /** URI of a read-only state of the file, if the lines are in one instead of in the file. */
  readonly document?: string;
  /** Whether that is the state before a change. */
  readonly isBefore?: true;
  /** The lines' text when it was last seen, by which they are found again. */
  readonly text: string;
  /** Paragraphs in Markdown, in the order in which they were written. */
  readonly said: readonly string[];
  /** `changed`: the turn that got it has changed the lines. */
  readonly state: 'unsent' | 'sent' | 'changed' | 'resolved';
  /** When the prompt with it was sent, in ms since the epoch. */
  readonly began?: number;
  /** A digest of the lines' text at that time. */
  readonly sentText?: string;
  /** The lines aren't in the file any more. */
  readonly isLost?: true;
}

/** The comments for one session. */
export interface SessionComments {
  readonly saved: SavedTranscript;
  readonly comments: readonly Comment[];
}

/** UTF-16 units of what is kept of the lines, and of one paragraph. */
const maxLinesText = 10_000;
export const maxSaid = 20_000;
export const maxParagraphs = 20;
export const maxComments = 200;
/** Of one session. */
export const maxCommentBytes = 1024 * 1024;
const maxName = 10_000;
const maxLine = 1_000_000_000;
const states: readonly string[] = ['unsent', 'sent', 'changed', 'resolved'];

/** What is kept of the lines' text: whole lines, if that is possible. */
export function keptText(text: string): string {
  const part = getBeginning(text, maxLinesText);
  const end = part.lastIndexOf('\n');
  return part.length === text.length || end <= 0 ? part : part.slice(0, end);
}

/** Tells whether lines have changed, without keeping them twice. */
export function digest(text: string): string {
  return createHash('sha256').update(keptText(text)).digest('base64url');
}

export function writeComments(comments: SessionComments): string {
  return JSON.stringify(comments);
}

/** Reads what `writeComments` has written; `undefined` if it is something else. */
export function readComments(text: string): SessionComments | undefined {
  const value = parseJson(text);
  const saved = isObject(value) ? readSaved(value['saved']) : undefined;
  if (!isObject(value) || saved === undefined) {
    return undefined;
  }
  const comments = asArray(value['comments']).slice(0, maxComments).flatMap(readComment);
  const ids = new Set(comments.map(({ id }) => id));
  return ids.size === comments.length ? { saved, comments } : undefined;
}

function readSaved(value: unknown): SavedTranscript | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { agentId, sessionId, cwd, title } = value;
  const folders = asArray(value['additionalDirectories']).filter(isName);
  return isName(agentId) && isName(sessionId) && isName(cwd) && isName(title)
    ? { agentId, sessionId, cwd, additionalDirectories: folders, title }
    : undefined;
}

function readComment(value: unknown): readonly Comment[] {
  if (!isObject(value)) {
    return [];
  }
  const { id, file, document, first, last, text, state, began, sentText } = value;
  const said = asArray(value['said']).slice(0, maxParagraphs).flatMap(readSaid);
  const isGood =
    isName(id) &&
    /^\w{1,20}$/.test(id) &&
    isName(file) &&
    isLine(first) &&
    isLine(last) &&
    first <= last &&
    typeof text === 'string' &&
    said.length > 0 &&
    states.includes(String(state));
  return isGood
    ? [
        {
          ...{ id, file, first, last, said, text: keptText(text) },
          state: state as Comment['state'],
          // Other documents are gone with the window that showed them.
          ...(isName(document) && document.startsWith('acp-review:') && { document }),
          ...(value['isBefore'] === true && { isBefore: true as const }),
          ...(typeof began === 'number' && { began }),
          ...(isName(sentText) && { sentText }),
          ...(value['isLost'] === true && { isLost: true as const }),
        },
      ]
    : [];
}

function readSaid(value: unknown): readonly string[] {
  const text = asString(value);
  return text === undefined || text === '' ? [] : [getBeginning(text, maxSaid)];
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxName;
}

function isLine(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxLine;
}
