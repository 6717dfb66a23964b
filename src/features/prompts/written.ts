import path from 'node:path';
import { pathOfAttached } from '../../model/files/fileUri';
import { isInside } from '../../model/files/roots';
import { mentioned } from '../../shared/prompt/mentioned';
import { mentionText } from '../../shared/prompt/promptMention';
import type { Attachment, Draft } from '../../shared/transcript/prompt';

export interface WrittenDraft {
  readonly content: string;
  /** Attachments that can't be written as text: they are sent with the prompt. */
  readonly enclosed: readonly Attachment[];
}

/** A draft as text: files and lines that it doesn't mention yet are mentioned at its end. */
export function writtenDraft({ text, attachments }: Draft, cwd: string): WrittenDraft {
  const mentions: string[] = [];
  const enclosed: Attachment[] = [];
  let content = text;
  for (const attachment of attachments) {
    if (isWritten(attachment, content)) {
      continue;
    }
    const mention = findMention(attachment, cwd);
    const short = `@${attachment.name}`;
    if (mention === undefined) {
      enclosed.push(attachment);
    } else if (attachment.type === 'file' && hasWord(content, short)) {
      // The composer writes names only; in an editor, a mention is a path.
      content = replaceWord(content, short, mention);
    } else {
      mentions.push(mention);
    }
  }
  return {
    content: [content, mentions.join('\n')].filter((part) => part !== '').join('\n\n'),
    enclosed,
  };
}

/** What a word of the text stands for is found again by that word. */
function isWritten(attachment: Attachment, text: string): boolean {
  return (
    attachment.type === 'context' &&
    attachment.mention !== undefined &&
    mentioned({ text, attachments: [attachment] }).attachments.length > 0
  );
}

function findMention(attachment: Attachment, cwd: string): string | undefined {
  if (attachment.type !== 'file' && attachment.type !== 'selection') {
    return undefined;
  }
  const file = pathOfAttached(attachment.uri);
  if (file === undefined) {
    return undefined;
  }
  const written = isInside(file, [cwd]) ? path.relative(cwd, file).replaceAll(path.sep, '/') : file;
  return attachment.type === 'file'
    ? mentionText(written)
    : mentionText(written, { first: attachment.startLine, last: attachment.endLine });
}

function hasWord(text: string, word: string): boolean {
  return text.split(/\s/).includes(word);
}

function replaceWord(text: string, word: string, by: string): string {
  return text
    .split(/(\s)/)
    .map((piece) => (piece === word ? by : piece))
    .join('');
}
