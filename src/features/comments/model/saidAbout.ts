import { getBeginning } from '../../../util/textParts';
import { maxSaid } from './comment';

/** Where a paragraph of Markdown that isn't indented begins, or an item of such a list. */
const beginning = /\n\s*\n(?=\S)|\n(?=(?:[-*+]|\d{1,9}[.)])\s)/;
/** UTF-16 units that are left for the name of who said it. */
const maxName = 100;

/** What a message says about lines that it names: the paragraphs and items in which it does. */
export function saidAbout(message: string, mention: string): string {
  const parts = message.split(beginning).filter((part) => part.includes(mention));
  return getBeginning(parts.map((part) => part.trim()).join('\n\n'), maxSaid - maxName);
}
