import { pathToFileURL } from 'node:url';
import type { Context, ContextPart } from '../../../model/session/providedContext';
import { getLineFragment } from '../../../shared/prompt/promptMention';
import type { Draft } from '../../../shared/transcript/prompt';
import { getBeginning } from '../../../util/textParts';
import type { Comment, Lines } from './comment';

export const commentSource = 'comments';

/** What is known of the commented lines when the prompt is sent. */
export interface CommentedNow extends Lines {
  /** The file's path in the session's folder. */
  readonly name: string;
  readonly text: string;
  /** The change that they are in, as a unified diff. */
  readonly hunk?: string;
  readonly isLost?: boolean;
}

/** Comments that the text of a prompt names, and UTF-16 units of each: the attachment has them in full. */
const maxNamed = 50;
const maxNamedLength = 2000;

/**
 * A prompt with these comments. They are also in its text, since some agents take what is attached for background.
 * `name`: what the attachment is called.
 */
export function getDraft(
  comments: readonly Comment[],
  name: string,
  nameOf: (file: string) => string,
): Draft {
  const lines = [
    comments.length === 1
      ? 'Please address this comment; its lines are attached.'
      : `Please address these ${comments.length} comments; their lines are attached.`,
    '',
    listComments(comments, nameOf),
  ];
  const about = comments.map(({ id }) => id).join(',');
  const context: Context = { type: 'context', source: commentSource, about, name };
  return { text: lines.join('\n'), attachments: [context] };
}

/** Comments with their lines, as a list in Markdown; of many the first ones, and how many more there are. */
export function listComments(
  comments: readonly Comment[],
  nameOf: (file: string) => string,
): string {
  const named = comments
    .slice(0, maxNamed)
    .map(
      (comment, index) =>
        `${index + 1}. \`${nameOf(comment.file)}\`, ${linesIn(comment)}: ${indented(comment)}`,
    );
  const more = comments.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more are attached.`] : [])].join('\n');
}

/** What the agent gets for one comment. */
export function getPart(comment: Comment, now: CommentedNow): ContextPart {
  const side = comment.isBefore ? ' (as they were before the change)' : '';
  const where = `${now.name}, ${linesIn(now)}${side}`;
  const text = [
    where,
    now.isLost
      ? 'These lines are no longer in the file. They were:'
      : comment.isBefore
        ? 'The lines:'
        : 'The lines as they are now:',
    fenced(now.text),
    ...(now.hunk === undefined ? [] : ['The change that they are in:', fenced(now.hunk, 'diff')]),
    'Comment:',
    ...comment.said,
    ...(comment.said.some((said) => said.includes('```suggestion'))
      ? ['The block marked `suggestion` is the text that these lines shall be replaced by.']
      : []),
  ].join('\n\n');
  const fragment = getLineFragment({ first: now.first + 1, last: now.last + 1 });
  return {
    uri: `${pathToFileURL(comment.file).href}${fragment}`,
    name: `Comment on ${where}`,
    text,
  };
}

/** A block of Markdown that replaces lines. */
export function getSuggestion(lines: string): string {
  return fenced(lines, 'suggestion');
}

function linesIn({ first, last }: Lines): string {
  return first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`;
}

function indented({ said }: Comment): string {
  const text = said.join('\n\n');
  const part = getBeginning(text, maxNamedLength);
  const whole = part.length < text.length ? `${part} […]` : part;
  return whole.split('\n').join('\n   ');
}

function fenced(text: string, language = ''): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, ticks.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
