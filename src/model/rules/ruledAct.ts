import path from 'node:path';
import type { ToolCallPatch } from '../../protocol/updates';
import { fileChangesIn, filesChangedIn } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { isObject } from '../../util/json';
import { besideCommand } from '../calls/besideCommand';
import { type AgentCommand, textOfShell } from '../calls/commandLine';
import { arePlain, findWords } from '../calls/commandWords';
import { listsCommands, namesArguments, namesCommand } from '../calls/inputKeys';
import { parsedJson } from '../calls/parsedJson';
import { editsIn } from '../calls/saidEdits';

/** What rules with a command or a path look at: what an agent says, or what it does through us. */
export type Asked =
  | {
      readonly type: 'call';
      /** The call with everything that was said about it before. */
      readonly call: ToolCallEntry;
      /** What the request itself says. */
      readonly request: ToolCallPatch;
      /** The call as it was before the request. */
      readonly before?: ToolCallEntry;
    }
  /** The file's real path. */
  | { readonly type: 'read' | 'write'; readonly file: string }
  | {
      readonly type: 'command';
      readonly request: AgentCommand;
      readonly folder: string;
    };

/** A command, in every form in which it can be read. */
export interface StatedCommand {
  /** The whole command as a text, to be searched; absent if there are only words. */
  readonly text?: string;
  /** The command's words, if no shell is needed to tell them, and those that it has a shell run. */
  readonly readings: readonly (readonly string[])[];
}

/** What is to be done, as far as it was said. */
export interface StatedAct {
  readonly commands: readonly StatedCommand[];
  /** Whether it is said in full which commands would run, with nothing but variables that changes their meaning. */
  readonly saysCommands: boolean;
  /** What those would be set to, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** The folder in which they would run, if that is said. */
  readonly folder?: string;
  /** Paths as this machine writes them. */
  readonly files: readonly string[];
  /** The files that only the agent's machine writes so: they count against the act, never for it. */
  readonly theirFiles: readonly string[];
  readonly saysFiles: boolean;
}

const maxNames = 100;
/** How agents call the members that name files, or what they are copied and moved to. */
const fileKeys =
  /path|file|ur[il]|target|source|dest|notebook|document|^(?:to|from|src|dst|dir|directory)$/i;
/** Depth to which a tool's input is searched, all of it: nothing may hide behind many harmless values. */
const inputDepth = 10;

/**
 * What is said about an act. Earlier statements about a call count against it, never for it. `inward`: how this machine
 * writes a path that the agent's machine has written.
 */
export function readAct(asked: Asked, inward: (file: string) => string): StatedAct {
  switch (asked.type) {
    case 'read':
    case 'write':
      return {
        ...{ commands: [], saysCommands: false, variables: {} },
        ...{ files: [asked.file], theirFiles: [], saysFiles: true },
      };
    case 'command': {
      const { command, args, env, shell } = asked.request;
      return {
        commands: [shell === undefined ? ofWords([command, ...args]) : ofText(command)],
        saysCommands: true,
        variables: env,
        folder: asked.folder,
        ...{ files: [], theirFiles: [], saysFiles: false },
      };
    }
    default:
      return ofCall(asked.call, asked.request, inward);
  }
}

function ofCall(
  call: ToolCallEntry,
  request: ToolCallPatch,
  inward: (file: string) => string,
): StatedAct {
  const rawInput = parsedJson(call.rawInput) ?? call.rawInput;
  const own = request.rawInput;
  const commands = commandsIn(rawInput, inputDepth);
  const top =
    isObject(own) &&
    Object.keys(own).some((key) => namesCommand(key) && commandsAt(own, key).length > 0);
  const told = filesInInput(call);
  const files = [...new Set([...filesShown(call), ...told.map(inward)])].filter(
    (file) => file !== '',
  );
  const { folders, variables, isHarmless } = besideCommand(rawInput);
  return {
    // A title is a label, which may leave out the worst part.
    commands: commands.length > 0 || !mayRun(call) ? commands : [ofTitle(call.title)],
    saysCommands:
      top && filesChangedIn(call.content).length === 0 && isHarmless && folders.length < 2,
    variables,
    ...(folders[0] !== undefined && { folder: inward(folders[0]) }),
    files,
    theirFiles: told.filter((file) => file !== '' && !files.includes(file)),
    saysFiles:
      files.length <= maxNames &&
      !isDeeper(rawInput, inputDepth) &&
      namesFiles(request) &&
      commands.length === 0,
  };
}

/** Any tool can be one of kind `other`. */
function mayRun({ toolKind }: ToolCallEntry): boolean {
  return toolKind === 'execute' || toolKind === 'other';
}

function ofTitle(text: string): StatedCommand {
  return { text, readings: [] };
}

/** A program with its arguments. */
function ofWords(words: readonly string[]): StatedCommand {
  const [command = '', ...args] = words;
  const inner = textOfShell({ command, args });
  if (inner === undefined) {
    return { readings: [words] };
  }
  const read = findWords(inner);
  return { text: words.join(' '), readings: read === undefined ? [] : [read, words] };
}

function ofText(text: string): StatedCommand {
  const words = findWords(text);
  if (words === undefined) {
    return { text, readings: [] };
  }
  return { ...ofWords(words), text };
}

/** All commands in a tool's input, wherever they are: any of them could be the one that runs. */
function commandsIn(value: unknown, depth: number): readonly StatedCommand[] {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    return [];
  }
  const inner = Object.values(value).flatMap((item) => commandsIn(item, depth - 1));
  return isObject(value)
    ? [...Object.keys(value).flatMap((key) => commandsAt(value, key)), ...inner]
    : inner;
}

/** A command that isn't understood could be any. */
const unclear: StatedCommand = { readings: [] };

function commandsAt(
  input: Readonly<Record<string, unknown>>,
  key: string,
): readonly StatedCommand[] {
  const value = input[key];
  const isNothing = value === undefined || value === null || value === '' || isEmptyList(value);
  if (isNothing || !(namesCommand(key) || listsCommands(key))) {
    return [];
  }
  if (listsCommands(key)) {
    return Array.isArray(value) ? value.flatMap(ofItem) : [getCommand(value)];
  }
  const further = Object.keys(input).filter(namesArguments);
  if (further.length === 0) {
    return [getCommand(value)];
  }
  const [args] = further.map((one) => input[one]);
  return further.length === 1 && (typeof value === 'string' || isTexts(value))
    ? [withArguments([value].flat().join(' '), args)]
    : [unclear];
}

/** What is more than words and texts is read by its own keys. */
function ofItem(item: unknown): readonly StatedCommand[] {
  return isObject(item) ? [] : [getCommand(item)];
}

function getCommand(value: unknown): StatedCommand {
  return typeof value === 'string' ? ofText(value) : isTexts(value) ? ofWords(value) : unclear;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Adds arguments to a command. It isn't known how an agent joins these, so each must be a plain word. */
function withArguments(command: string, args: unknown): StatedCommand {
  const list = typeof args === 'string' ? [args] : isTexts(args) ? args : [];
  const words = findWords(command);
  const text = [command, ...list].join(' ');
  const isPlain = words !== undefined && (isTexts(args) || args === null) && arePlain(list);
  return isPlain ? { ...ofWords([...words, ...list]), text } : { text, readings: [] };
}

function isTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
  );
}

/** Whether a request itself says which files it is about. */
function namesFiles({ content = [], locations = [], rawInput }: ToolCallPatch): boolean {
  const files = [
    ...filesShown({ content, locations }),
    ...stringsIn(rawInput, fileKeys, inputDepth),
  ];
  return files.some((file) => file !== '');
}

/** What shows a call's files, and has been read from its input where that is all there is. */
function filesShown({
  content,
  locations,
}: Pick<ToolCallEntry, 'content' | 'locations'>): readonly string[] {
  return [...filesOfContent(content), ...locations.map((item) => item.path)];
}

function filesOfContent(content: ToolCallEntry['content']): readonly string[] {
  const copied = fileChangesIn(content).flatMap(({ oldPath }) => oldPath ?? []);
  return [...filesChangedIn(content), ...copied];
}

/** The files that the input names, those of its changes included that are shown as content. */
function filesInInput({ rawInput, toolKind, content }: ToolCallEntry): readonly string[] {
  const shown = new Set(filesOfContent(content));
  const edited = filesOfContent(editsIn(rawInput, toolKind)).filter((file) => shown.has(file));
  return [...stringsIn(rawInput, fileKeys, inputDepth), ...edited];
}

/** Whether a value has anything below this depth. */
function isDeeper(value: unknown, depth: number): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1)))
  );
}

/** The texts under keys like this one. */
function stringsIn(
  value: unknown,
  wanted: RegExp,
  depth: number,
  isWanted = false,
): readonly string[] {
  if (typeof value === 'string') {
    return isWanted ? [value] : [];
  }
  if (depth === 0 || typeof value !== 'object' || value === null) {
    return [];
  }
  return Array.isArray(value)
    ? value.flatMap((item) => stringsIn(item, wanted, depth - 1, isWanted))
    : Object.entries(value).flatMap(([key, item]) =>
        stringsIn(item, wanted, depth - 1, wanted.test(key)),
      );
}

/** A said path as an absolute one without `..`, for a rule that rejects. */
export function absolutePath(file: string, cwd: string): string {
  return path.resolve(cwd, file);
}
