export type Argv =
  | { readonly kind: 'arguments'; readonly list: readonly string[] }
  | { readonly kind: 'unclosed'; readonly quote: string };

/**
 * Splits a line into arguments at white space. Quotes of either kind keep the text between them
 * together, unchanged; there are no escapes, so Windows paths need none.
 */
export function parseArgv(line: string): Argv {
  const list: string[] = [];
  let argument: string | undefined;
  let quote: string | undefined;
  for (const character of line) {
    if (quote !== undefined) {
      if (character === quote) {
        quote = undefined;
      } else {
        argument = (argument ?? '') + character;
      }
    } else if (character === '"' || character === "'") {
      quote = character;
      argument ??= '';
    } else if (/\s/u.test(character)) {
      if (argument !== undefined) {
        list.push(argument);
        argument = undefined;
      }
    } else {
      argument = (argument ?? '') + character;
    }
  }
  if (quote !== undefined) {
    return { kind: 'unclosed', quote };
  }
  return { kind: 'arguments', list: argument === undefined ? list : [...list, argument] };
}

/** A command line for display, with quotes around every argument that needs them. */
export function showArgv(argv: readonly string[]): string {
  return argv
    .map((part) => (/^[\w@%+=:,./\\-]+$/u.test(part) ? part : JSON.stringify(part)))
    .join(' ');
}
