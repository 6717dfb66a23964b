/** A test for one character of a name; `undefined`: any number of any characters. */
type Token = ((character: string) => boolean) | undefined;

/**
 * The pattern for a file or folder name: a literal, or tokens read from `*`, `?`, `[a-z]` and `\`.
 */
export type NamePattern = string | readonly Token[];

/** The remaining budget of comparisons: both patterns and names come from untrusted sources. */
export interface Work {
  left: number;
}

const asciiClasses: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9a-z]/,
  alpha: /[a-z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[a-z]/,
  xdigit: /[0-9a-f]/,
};

/** Parses the lower-case pattern of one name; `undefined`: it can't match anything. */
export function readNamePattern(text: string): NamePattern | undefined {
  if (!/[*?[\\]/.test(text)) {
    return text;
  }
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '*') {
      // Repeated stars mean the same as one.
      if (tokens.length === 0 || tokens.at(-1) !== undefined) {
        tokens.push(undefined);
      }
    } else if (character === '?') {
      tokens.push(() => true);
    } else if (character === '[') {
      const set = readSet(text, at + 1);
      if (set === undefined) {
        return undefined;
      }
      tokens.push(set.has);
      at = set.end;
    } else {
      at += character === '\\' ? 1 : 0;
      const literal = text.charAt(at);
      if (literal === '') {
        return undefined;
      }
      tokens.push((other) => other === literal);
    }
  }
  return tokens;
}

/**
 * Parses a character set from `start`, just after its bracket; `end` is the index of the closing
 * one.
 */
function readSet(
  text: string,
  start: number,
): { readonly has: (character: string) => boolean; readonly end: number } | undefined {
  const isNegated = /[!^]/.test(text.charAt(start));
  const first = isNegated ? start + 1 : start;
  const members: ((character: string) => boolean)[] = [];
  for (let at = first; at < text.length; at++) {
    if (text.charAt(at) === ']' && at > first) {
      const has = (character: string): boolean =>
        members.some((member) => member(character)) !== isNegated;
      return { has, end: at };
    }
    const [named, name = ''] = /^\[:(\w*):\]/.exec(text.slice(at, at + 12)) ?? [];
    if (named !== undefined) {
      const pattern = asciiClasses[name];
      if (pattern === undefined) {
        return undefined;
      }
      members.push((character) => pattern.test(character));
      at += named.length - 1;
      continue;
    }
    const from = readMember(text, at);
    at = from.end;
    const isRange = text.charAt(at + 1) === '-' && !/^\]?$/.test(text.charAt(at + 2));
    const to = isRange ? readMember(text, at + 2) : from;
    at = to.end;
    members.push(
      (character) =>
        character === from.member || (character >= from.member && character <= to.member),
    );
  }
  return undefined;
}

function readMember(text: string, at: number): { readonly member: string; readonly end: number } {
  const end = text.charAt(at) === '\\' ? at + 1 : at;
  return { member: text.charAt(end), end };
}

/** Whether a pattern matches the whole of a lower-case name. */
export function matchesName(pattern: NamePattern, name: string, work: Work): boolean {
  work.left--;
  if (typeof pattern === 'string') {
    return pattern === name;
  }
  // Checks the end first, because most names differ there.
  const end = pattern.at(-1);
  if (end !== undefined && !end(name.charAt(name.length - 1))) {
    return false;
  }
  return matchesWhole(pattern.length, name.length, {
    isAny: (at) => pattern[at] === undefined,
    matches: (at, place) => {
      work.left--;
      return pattern[at]?.(name.charAt(place)) === true;
    },
  });
}

/**
 * Whether a pattern of parts, some of which match any number of things, matches a sequence of
 * things. Backtracks only to the last of those parts, which bounds the work at one comparison per
 * part and thing.
 */
export function matchesWhole(
  parts: number,
  things: number,
  part: { isAny(at: number): boolean; matches(at: number, place: number): boolean },
): boolean {
  let at = 0;
  let place = 0;
  let any = -1;
  let from = 0;
  while (place < things) {
    if (at < parts && part.isAny(at)) {
      any = at++;
      from = place;
    } else if (at < parts && part.matches(at, place)) {
      at++;
      place++;
    } else if (any === -1) {
      return false;
    } else {
      at = any + 1;
      place = ++from;
    }
  }
  while (at < parts && part.isAny(at)) {
    at++;
  }
  return at === parts;
}
