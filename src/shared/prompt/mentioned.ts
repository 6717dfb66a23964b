import { escapeRegExp } from '../../util/escapeRegExp';
import type { Attachment, Draft } from '../transcript/prompt';
import { mentionMark } from './promptMention';

/** The draft without the attachments whose mention isn't in its text any more: what isn't written isn't sent. */
export function mentioned(draft: Draft): Draft {
  const attachments = draft.attachments.filter(
    ({ mention, type }) => mention === undefined || mentions(draft.text, mention, type),
  );
  return attachments.length === draft.attachments.length ? draft : { ...draft, attachments };
}

/**
 * Whether this mention, such as `@cart.ts`, is in the text as a whole: `@cart.tsx` is another one, and so is
 * `@problems:errors` for `@problems`, but not `@cart.ts:12` for the file.
 */
function mentions(text: string, mention: string, type: Attachment['type']): boolean {
  const name = escapeRegExp(mention.slice(1));
  const joins = type === 'context' ? '[.:]' : '\\.';
  const end = `(?![\\p{L}\\p{N}_/\\\\-]|${joins}[\\p{L}\\p{N}])`;
  return new RegExp(`${mentionMark}${name}${end}`, 'u').test(text);
}
