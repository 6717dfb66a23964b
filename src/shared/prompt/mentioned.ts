import { escapeRegExp } from '../../util/escapeRegExp';
import type { Draft } from '../transcript/prompt';
import { mentionMark } from './promptMention';

/** The draft without the attachments whose mention isn't in its text any more: what isn't written isn't sent. */
export function mentioned(draft: Draft): Draft {
  const attachments = draft.attachments.filter(
    ({ mention }) => mention === undefined || mentions(draft.text, mention),
  );
  return attachments.length === draft.attachments.length ? draft : { ...draft, attachments };
}

/** Whether this mention, such as `@cart.ts`, is in the text as a whole: `@cart.tsx` is another one. */
function mentions(text: string, mention: string): boolean {
  const name = escapeRegExp(mention.slice(1));
  return new RegExp(`${mentionMark}${name}(?![\\p{L}\\p{N}_/\\\\-]|\\.[\\p{L}\\p{N}])`, 'u').test(
    text,
  );
}
