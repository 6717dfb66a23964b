import path from 'node:path';
import { asString, isObject } from '../../util/json';

/** The keys that agents use for a command line in a tool's input. */
export const commandKeys = ['command', 'cmd', 'script'] as const;

/** The complete command that a tool would run; `undefined` when its input has none. */
export function commandOf(rawInput: unknown): string | undefined {
  if (!isObject(rawInput)) {
    return undefined;
  }
  for (const key of commandKeys) {
    const words = joinedWords(rawInput[key]);
    if (words !== undefined) {
      return [words, joinedWords(rawInput['args'])].filter(Boolean).join(' ');
    }
  }
  return undefined;
}

/** The folder in which a tool would run its command, if its input names one. */
export function commandFolderOf(rawInput: unknown): string | undefined {
  return isObject(rawInput) ? asString(rawInput['cwd']) : undefined;
}

/** A program and its arguments as one line, in the format of `commandOf`. */
export function commandLine({ command, args }: Command): string {
  return [command, joinedWords(args)].filter(Boolean).join(' ');
}

/** Joins words with spaces, quoting where needed; a string stays as it is. */
export function joinedWords(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value === '' ? undefined : value;
  }
  if (!Array.isArray(value) || value.length === 0) {
    return undefined;
  }
  const words: readonly unknown[] = value;
  return words
    .map((word) =>
      typeof word === 'string' && /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word),
    )
    .join(' ');
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The folders of the system's shells: a program of the same name elsewhere may be anything. */
const shellFolders = [
  '/bin',
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  'c:\\windows\\system32',
  'c:\\windows\\system32\\windowspowershell\\v1.0',
  'c:\\program files\\powershell\\7',
];
/** For each kind of shell: the flag before the command text, and other flags allowed before that. */
const shells = [
  { name: /^(?:sh|bash|dash|zsh|ksh|fish)$/, last: /^-[lie]*c$/, others: /^(?:-[lie]+|--login)$/ },
  { name: /^cmd(?:\.exe)?$/, last: /^\/c$/i, others: /^\/[dsq]$/i },
  {
    name: /^(?:powershell|pwsh)(?:\.exe)?$/,
    last: /^-c(?:ommand)?$/i,
    others: /^-(?:noprofile|nologo|noninteractive)$/i,
  },
] as const;

/** Whether this runs exactly the command `named`, directly or as the text given to a shell. */
export function runsJust(run: Command, named: string): boolean {
  const lines = [commandLine(run), joinedWords([run.command, ...run.args]), textOfShell(run)];
  return lines.includes(named);
}

/** The text that a shell is to run; `undefined` when it gets anything besides it. */
export function textOfShell({ command, args }: Command): string | undefined {
  const flags = args.slice(0, -1);
  const shell = shellName(command);
  const shape = shells.find(({ name }) => shell !== undefined && name.test(shell));
  const isPlain =
    shape?.last.test(flags.at(-1) ?? '') === true &&
    flags.slice(0, -1).every((flag) => shape.others.test(flag));
  return isPlain ? args.at(-1) : undefined;
}

function shellName(command: string): string | undefined {
  const { base, dir } = path.win32.parse(command.toLowerCase());
  return dir === '' || shellFolders.includes(dir) ? base : undefined;
}
