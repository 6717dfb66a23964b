import path from 'node:path';
import type { CreateTerminalRequest } from '../../protocol/agentRequests';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { asString, isObject, type JsonObject } from '../../util/json';
import { findWords } from './commandWords';
import { parsedJson } from './parsedJson';

/** The keys that agents use for a command line in a tool's input. */
const commandKeys = ['command', 'cmd', 'script', 'command_line', 'commandLine'] as const;
const folderKeys = [
  ...['cwd', 'workdir', 'work_dir', 'workingDirectory', 'working_directory'],
  ...['workingDir', 'working_dir', 'directory'],
];

/**
 * The complete command that a tool would run; `undefined` when its input has none. If it names several, each is on
 * lines of its own, so that none is hidden.
 */
export function findCommand(rawInput: unknown): string | undefined {
  const input = parsedJson(rawInput) ?? rawInput;
  if (!isObject(input)) {
    return undefined;
  }
  const { commands, args } = input;
  const listed = Array.isArray(commands) ? commands.slice(0, maxCommands).map(joinedWords) : [];
  const single = commandKeys.flatMap((key) => {
    const words = joinedWords(input[key]);
    return words === undefined ? [] : [[words, joinedWords(args)].filter(Boolean).join(' ')];
  });
  const all = [...single, ...listed].filter((line) => line !== undefined);
  return all.length === 0 ? undefined : [...new Set(all)].join('\n');
}

/** The command that a call runs, if its title says something else. */
export function untitledCommand({ toolKind, title, rawInput }: ToolCallEntry): string | undefined {
  const command = toolKind === 'execute' ? findCommand(rawInput) : undefined;
  return command === undefined || saysCommand(title, command) ? undefined : command;
}

/** Whether a title is a command, or has it as code: adapters put it between backticks and escape those in it. */
function saysCommand(title: string, command: string): boolean {
  const plain = title.replaceAll('\\`', '`');
  return [title, plain].some(
    (text) => text.trim() === command.trim() || text.includes(`\`${command}\``),
  );
}

const maxCommands = 1_000;

/** An input without what `findCommand` reads of it. */
export function withoutCommand(input: JsonObject): JsonObject {
  const { commands } = input;
  const read = new Set<string>([...commandKeys, 'args']);
  if (Array.isArray(commands) && commands.length <= maxCommands) {
    read.add('commands');
  }
  return Object.fromEntries(Object.entries(input).filter(([key]) => !read.has(key)));
}

/** The folder in which a tool would run its command, if its input names one. */
export function findCommandFolder(rawInput: unknown): string | undefined {
  const input = parsedJson(rawInput) ?? rawInput;
  return isObject(input)
    ? folderKeys.map((key) => asString(input[key])).find((folder) => folder !== undefined)
    : undefined;
}

/**
 * What would run as one line, in the format of `findCommand`: a line for a shell as it is, a program and its arguments
 * with quotes wherever a shell would read something else.
 */
export function commandLine({ command, args, shell }: Command): string {
  return shell === undefined ? joined(quotedProgram(command), args) : command;
}

function quotedProgram(command: string): string {
  if (!/[\s"']/.test(command)) {
    return command;
  }
  return command.includes('"') ? JSON.stringify(command) : `"${command}"`;
}

function joined(program: string, args: readonly string[]): string {
  const quoted = args.map((word) =>
    signs.test(word) ? JSON.stringify(word) : joinedWords([word]),
  );
  return [program, ...quoted].join(' ');
}

/** What a shell would read as something else than a part of a word. */
const signs = /[`$&;|<>(){}[\]*?!#~]/;

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
  /** The path of the shell that reads the command, which is a whole line then, without arguments. */
  readonly shell?: string | undefined;
}

/** What an agent wants to run: a program, or a line for a shell. */
export type AgentCommand = CreateTerminalRequest & Command;

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
/** The kinds of shells: the flag before the command text, and other flags allowed before that. */
const shells = [
  { name: /^(?:sh|bash|dash|zsh|ksh|fish)$/, last: /^-[lie]*c$/, others: /^(?:-[lie]+|--login)$/ },
  { name: /^cmd(?:\.exe)?$/, last: /^\/c$/i, others: /^\/[dsq]$/i },
  {
    name: /^(?:powershell|pwsh)(?:\.exe)?$/,
    last: /^-c(?:ommand)?$/i,
    others: /^-(?:noprofile|nologo|noninteractive)$/i,
  },
] as const;

/** A command as an agent has named it: a text for a shell, or words. */
export type NamedCommand = { readonly text: string } | { readonly words: readonly string[] };

/** The command in a tool's input; several are one text, as in `findCommand`. */
export function namedCommand(rawInput: unknown): NamedCommand | undefined {
  const text = findCommand(rawInput);
  const input = parsedJson(rawInput) ?? rawInput;
  if (text === undefined || !isObject(input)) {
    return undefined;
  }
  const { commands, args } = input;
  const listed: readonly unknown[] = Array.isArray(commands) ? commands : [];
  const all = [
    ...commandKeys.map((key) => named(input[key], args)),
    ...listed.map((item) => named(item)),
  ];
  const found = all.filter((command) => command !== undefined);
  const [first = { text }, ...others] = found;
  return others.every((other) => JSON.stringify(other) === JSON.stringify(first))
    ? first
    : { text };
}

function named(value: unknown, args?: unknown): NamedCommand | undefined {
  if (areTexts(value)) {
    return { words: areTexts(args) ? [...value, ...args] : value };
  }
  if (typeof value !== 'string' || value === '') {
    return undefined;
  }
  if (areTexts(args)) {
    return { words: [...(findWords(value) ?? [value]), ...args] };
  }
  return { text: [value, joinedWords(args)].filter(Boolean).join(' ') };
}

function areTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
  );
}

/** Whether this runs exactly the command that was named: the same text, or word by word the same. */
export function runsJust(run: Command, command: NamedCommand): boolean {
  const isLine = run.shell !== undefined;
  const words = isLine ? findWords(run.command) : [run.command, ...run.args];
  if ('words' in command) {
    return areSame(words, command.words);
  }
  return isLine
    ? run.command === command.text
    : textOfShell(run) === command.text || areSame(words, findWords(command.text));
}

function areSame(
  words: readonly string[] | undefined,
  others: readonly string[] | undefined,
): boolean {
  return (
    words !== undefined &&
    words.length === others?.length &&
    words.every((word, at) => word === others[at])
  );
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
