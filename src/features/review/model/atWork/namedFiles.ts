import path from 'node:path';
import { findCommand, findCommandFolder } from '../../../../model/calls/commandLine';
import { mayResolve } from '../../../../model/files/paths';
import { filesChangedIn } from '../../../../shared/transcript/content';
import type { ToolCallEntry } from '../../../../shared/transcript/entries';
import { isObject } from '../../../../util/json';
import { filesOfCommand } from './commandFiles';

/**
 * What whoever names a file says of it: `changed`: that it has changed it; `named`: that it was given to a tool that may
 * change it; `made` and `removed`: that a command makes or removes it, which tells nothing of other changes.
 */
export type Certainty = 'changed' | 'named' | 'made' | 'removed';

/** Absolute paths. */
export type NamedFiles = Readonly<Record<Certainty, readonly string[]>>;

/** Calls of these kinds change no file. */
const looking: readonly ToolCallEntry['toolKind'][] = [
  'read',
  'search',
  'think',
  'fetch',
  'switch_mode',
];

/** Whether a call may change files, whatever it says of them. */
export function mayChange({ toolKind }: ToolCallEntry): boolean {
  return !looking.includes(toolKind);
}

const editing: readonly ToolCallEntry['toolKind'][] = ['edit', 'delete', 'move'];
/** Names of tools without a kind that only look. */
const lookingName = /^(?:\w+__)*(?:read|list|get|search|find|view|show|open|grep|glob|ls|stat)/i;
/** The keys of its input under which a tool is given the file that it is about. */
const pathKeys =
  /^(?:(?:abs(?:olute)?|file|target|dest(?:ination)?|output|new|old|source|from|to)?_?(?:path|file|filename|filepath|file_?path))$/i;
const maxKeys = 50;
/** Maximum number of files of one call. */
const maxNamedFiles = 1_000;
const none: NamedFiles = { changed: [], named: [], made: [], removed: [] };

/**
 * The files that a tool call which has ended names, by all that it says. What one did that has failed, or only looked,
 * nobody knows. `cwd`: where relative paths begin.
 */
export function filesNamedBy(call: ToolCallEntry, cwd: string): NamedFiles {
  const { toolKind, content, locations, rawInput, status } = call;
  if (!mayChange(call) || status === 'failed') {
    return none;
  }
  const isEditing = editing.includes(toolKind);
  const about = absolute([...locations.map((it) => it.path), ...pathsIn(rawInput)], [cwd]);
  const isAbout = isEditing || !(lookingName.test(call.name ?? '') || lookingName.test(call.title));
  const changed = absolute(filesChangedIn(content), [cwd]);
  const command = isEditing ? undefined : findCommand(rawInput);
  const folder = findCommandFolder(rawInput) ?? cwd;
  return {
    ...(command === undefined ? none : filesNamedByCommand(command, path.resolve(cwd, folder))),
    changed: isEditing ? [...new Set([...changed, ...about])] : changed,
    // A command may only read them.
    named: isEditing || !isAbout || toolKind === 'execute' || command !== undefined ? [] : about,
  };
}

/** The files that a command line says that it makes or removes. */
export function filesNamedByCommand(command: string, folder: string): NamedFiles {
  const { made, removed, folders } = filesOfCommand(command);
  const within = folders.map((it) => path.resolve(folder, it));
  const all = [folder, ...within.filter((it) => it !== folder).slice(0, 3)];
  return { ...none, made: absolute(made, all), removed: absolute(removed, all) };
}

function pathsIn(rawInput: unknown): readonly string[] {
  return isObject(rawInput)
    ? Object.entries(rawInput)
        .slice(0, maxKeys)
        .flatMap(([key, value]) => (pathKeys.test(key) && typeof value === 'string' ? [value] : []))
    : [];
}

/** An agent can name anything; looking at it must not leave this machine. */
function absolute(files: readonly string[], folders: readonly string[]): readonly string[] {
  const all = files
    .slice(0, maxNamedFiles)
    .flatMap((file) => folders.map((folder) => path.resolve(folder, file)));
  return [...new Set(all)].filter(mayResolve);
}
