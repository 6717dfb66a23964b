import { Ends } from './ends';
import type { Span } from './spans';

const user =
  /(?:(?<![\w-])|(?<=\\[nrt]))(?:-[a-zA-Z]{0,3}[uU](?:[ \t]{0,8}|=|\\{0,3}["'],\s{0,8})|--(?:proxy-)?user(?:[ \t]{1,8}|=|\\{0,3}["'],\s{0,8}))(\\{0,3}["'])?([^\s:"'`@/\\]{0,200}):(?=[^\s"'`])/g;
const unquoted = /[^\s"'`]+/y;

/** The passwords of arguments such as `-u name:password`. */
export function* passwordsOfUsers(text: string): Iterable<Span> {
  const ends = new Ends(text);
  let over = 0;
  for (const { 0: whole, 1: quote = '', 2: name = '', index } of text.matchAll(user)) {
    const start = index + whole.length;
    if (start <= over) {
      continue;
    }
    const end =
      quote === ''
        ? start + unquotedAt(text, start)
        : Math.min(ends.next(quote.slice(0, -1), quote.slice(-1), start), ends.lineEnd(start));
    over = end;
    // A user and a group of a container.
    if (!/^\d+:\d+$/.test(`${name}:${text.slice(start, end)}`)) {
      yield { start, end };
    }
  }
}

function unquotedAt(text: string, at: number): number {
  unquoted.lastIndex = at;
  return unquoted.exec(text)?.[0].length ?? 0;
}
