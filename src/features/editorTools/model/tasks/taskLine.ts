import { asString, isObject } from '../../../../util/json';
import { programName } from '../../../../util/process/programName';
import { ToolRefusal } from '../tool';

/** A word of a command, and how a `tasks.json` wants it to be quoted. */
export interface TaskWord {
  readonly value: string;
  readonly quoting?: Quoting;
}

type Quoting = 'strong' | 'weak' | 'escape';

/** How a shell takes a text as one word. */
type Quotes = Readonly<Record<Quoting, (text: string) => string>>;

const inDouble = (text: string): string => `"${text}"`;
const posix: Quotes = {
  strong: (text) => `'${text.replaceAll("'", `'\\''`)}'`,
  weak: (text) => inDouble(text.replaceAll('"', '\\"')),
  escape: (text) => text.replace(/[\s"'\\]/g, '\\$&'),
};
const powerShell: Quotes = {
  strong: (text) => `'${text.replaceAll("'", "''")}'`,
  weak: (text) => inDouble(text.replaceAll('"', '`"')),
  escape: (text) => text.replace(/[\s"'()`]/g, '`$&'),
};
const cmd: Quotes = { strong: inDouble, weak: inDouble, escape: inDouble };

/** A word as a `tasks.json` writes it: a text, a list of texts, or one of these with its quoting. */
export function readWord(value: unknown): TaskWord {
  const inner = isObject(value) ? value['value'] : value;
  const text =
    Array.isArray(inner) && inner.every((one) => typeof one === 'string')
      ? inner.join(' ')
      : asString(inner);
  if (text === undefined || text.includes('\0')) {
    throw new ToolRefusal('Its command or one of its arguments is no text.');
  }
  const quoting = isObject(value) ? value['quoting'] : undefined;
  return quoting === 'strong' || quoting === 'weak' || quoting === 'escape'
    ? { value: text, quoting }
    : { value: text };
}

/** A command and its arguments as one line for a shell, quoted as VS Code does it: nothing if there are no arguments. */
export function shellLine(command: TaskWord, args: readonly TaskWord[], shell: string): string {
  if (args.length === 0 && command.quoting === undefined) {
    return command.value;
  }
  const quotes = quotesOf(shell);
  return [command, ...args].map((word) => quoted(word, quotes)).join(' ');
}

function quotesOf(shell: string): Quotes {
  const name = programName(shell).toLowerCase();
  return name === 'cmd' ? cmd : /^(?:powershell|pwsh)$/.test(name) ? powerShell : posix;
}

/** What is quoted already, or has no space, is left to the shell. */
function quoted({ value, quoting }: TaskWord, quotes: Quotes): string {
  if (quoting !== undefined) {
    return quotes[quoting](value);
  }
  const isQuoted = /^(["'])[^]*\1$/.test(value) && value.length > 1;
  return /\s/.test(value) && !isQuoted ? quotes.strong(value) : value;
}
