import { relative, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { KnownReview } from '../../../model/changes/reviews';
import { isInside } from '../../../model/files/roots';
import { startsTurn } from '../../../model/transcript/turnStarts';
import type { Entry } from '../../../shared/transcript/entries';
import type { Attachment } from '../../../shared/transcript/prompt';
import { latestText } from '../../transcriptText/model/latestText';
import { getMarkdown, type TextSource } from '../../transcriptText/model/sessionText';

export type TextAttachment = Extract<Attachment, { type: 'text' }>;

/** UTF-16 units of a conversation that is attached as a text: its end, since the prompt follows that. */
const maxConversation = 200_000;
/** Changed files that are named. */
const maxFiles = 500;

/** A file that a session has changed, with the numbers of its lines. */
export interface NamedFile {
  /** Absolute, or in the session's folder. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** A conversation as an attached text, which says what of it is left out. Rejects when `signal` aborts. */
export async function conversationOf(
  source: TextSource,
  name: string,
  signal?: AbortSignal,
): Promise<TextAttachment> {
  const whole = (await getMarkdown(source, signal)).join('');
  const text = latestText(whole, maxConversation);
  const detail = [
    ...(text === whole ? [] : [l10n.t('without its beginning')]),
    ...(source.entries.some(hasImage) ? [l10n.t('without its images')] : []),
    ...(source.header.cachedAt === undefined ? [] : [l10n.t('as it was cached')]),
  ].join(', ');
  return {
    type: 'text',
    uri: 'acp-sessions:conversation.md',
    name,
    text,
    ...(detail !== '' && { detail }),
  };
}

/** What an agent has answered to the question for a summary; it may be of any length. */
export function summaryOf(answer: string, agentTitle: string): TextAttachment {
  const text = latestText(answer, maxConversation);
  return {
    type: 'text',
    uri: 'acp-sessions:summary.md',
    name: l10n.t('Summary by {0}', agentTitle),
    text,
    ...(text !== answer && { detail: l10n.t('without its beginning') }),
  };
}

/** The names of changed files in a folder; of files elsewhere only how many there are. `undefined` if there are none. */
export function filesOf(files: readonly NamedFile[], cwd: string): TextAttachment | undefined {
  if (files.length === 0) {
    return undefined;
  }
  const inside = files.filter(({ path }) => isInside(resolve(cwd, path), [cwd])).slice(0, maxFiles);
  const unnamed = files.length - inside.length;
  const lines = inside.map(({ path, added, removed }) => {
    const name = relative(cwd, resolve(cwd, path)).split(sep).join('/');
    return `- ${JSON.stringify(name)} (+${added} −${removed})`;
  });
  const rest =
    unnamed > 0 ? [`- Outside of the folder, or too many to list: ${unnamed} more files`] : [];
  return {
    type: 'text',
    uri: 'acp-sessions:changed-files.md',
    name: files.length === 1 ? l10n.t('1 changed file') : l10n.t('{0} changed files', files.length),
    text: `Files that were changed in the conversation:\n\n${[...lines, ...rest].join('\n')}\n`,
    ...(unnamed > 0 && { detail: l10n.t('without the names of {0} files', unnamed) }),
  };
}

/** Comments on lines that weren't sent. They still wait in the session that they are of. */
export function commentsOf(count: number, list: string): TextAttachment {
  return {
    type: 'text',
    uri: 'acp-sessions:comments.md',
    name: count === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', count),
    text: `Comments of the user that weren't addressed yet:

${list}
`,
    detail: l10n.t('also in the session that they are of'),
  };
}

/** The changes that wait for review, and what the session's calls have reported besides. */
export function changedFiles(
  review: Pick<KnownReview, 'pending'> | undefined,
  reported: readonly NamedFile[],
  cwd: string,
): readonly NamedFile[] {
  const pending = (review?.pending ?? []).map(({ file, added, removed }) => ({
    path: file,
    added,
    removed,
  }));
  const known = new Set(pending.map(({ path }) => path));
  return [...pending, ...reported.filter(({ path }) => !known.has(resolve(cwd, path)))];
}

/** The entry that ends the turn with this entry: the index after its last one. */
export function endOfTurn(entries: readonly Entry[], index: number): number {
  const next = entries.findIndex((_, at) => at > index && startsTurn(entries, at));
  return next < 0 ? entries.length : next;
}

function hasImage(entry: Entry): boolean {
  return (
    (entry.kind === 'user' || entry.kind === 'agent') &&
    entry.blocks.some(({ type }) => type === 'image')
  );
}
