import path from 'node:path';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { besideCommand } from '../calls/besideCommand';
import { listsCommands, namesCommand } from '../calls/inputKeys';
import { parsedJson } from '../calls/parsedJson';
import { inTime } from './inTime';
import type { RuledPlace, Ruling } from './permissionRule';

/** No input names more. */
const maxFolders = 20;

/** Depth to which an input is searched for commands; what is deeper may have one. */
const inputDepth = 10;
/** What a tool that edits texts calls its own: https://docs.claude.com/en/docs/agents-and-tools/tool-use/text-editor-tool */
const editorCommands = new Set<unknown>(['view', 'create', 'str_replace', 'insert', 'undo_edit']);

type Decided = Ruling | undefined;

/** A rule by kind allows a command, but nothing else that would change how it runs: about that, the user is asked. */
export function ifPlain(
  ruling: Decided,
  call: ToolCallEntry,
  place: RuledPlace,
): Decided | Promise<Decided> {
  const isPlain = ruling !== 'allow' || isPlainRun(call, place);
  if (isPlain instanceof Promise) {
    return isPlain.then((is) => (is ? ruling : undefined));
  }
  return isPlain ? ruling : undefined;
}

/**
 * Whether an agent's request to run a command is no more than its kind says: its input sets no variables but those that
 * the user has agreed to, names no folder outside of the session's, and has nothing else that may change how the
 * command runs. `true` for what names none; a kind that says that nothing runs doesn't allow one.
 */
function isPlainRun(
  { toolKind, rawInput }: ToolCallEntry,
  place: RuledPlace,
): boolean | Promise<boolean> {
  if (toolKind !== 'execute' && !hasCommand(rawInput, inputDepth)) {
    return true;
  }
  if (toolKind !== 'execute' && toolKind !== 'other') {
    return false;
  }
  const { folders, variables, isHarmless } = besideCommand(rawInput);
  if (!isHarmless || !place.hasVariables(variables)) {
    return false;
  }
  const { cwd } = place;
  const others = folders
    .map((folder) => place.inward(folder))
    .filter((folder) => !isFolder(folder, cwd));
  return others.length === 0 || areInside(others, place);
}

/** Whether an input names a command anywhere. */
function hasCommand(value: unknown, depth: number): boolean {
  const input = parsedJson(value) ?? value;
  if (typeof input !== 'object' || input === null) {
    return false;
  }
  return (
    depth === 0 ||
    Object.entries(input).some(
      ([key, item]) =>
        ((namesCommand(key) || listsCommands(key)) && isSaid(item)) || hasCommand(item, depth - 1),
    )
  );
}

function isSaid(command: unknown): boolean {
  const isNothing = command === undefined || command === null || command === '';
  return !isNothing && !editorCommands.has(command);
}

function isFolder(folder: string, cwd: string): boolean {
  return path.isAbsolute(folder) && path.resolve(folder) === path.resolve(cwd);
}

async function areInside(
  folders: readonly string[],
  { reach }: Pick<RuledPlace, 'reach'>,
): Promise<boolean> {
  if (folders.length > maxFolders || !folders.every((folder) => path.isAbsolute(folder))) {
    return false;
  }
  const found = await Promise.all(folders.map((folder) => inTime(reach.has(folder))));
  return found.every((isInside) => isInside === true);
}
