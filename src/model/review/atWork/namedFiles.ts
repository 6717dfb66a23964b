import path from 'node:path';
import { filesChangedIn } from '../../../shared/transcript/content';
import type { ToolCallEntry } from '../../../shared/transcript/entries';
import { isObject } from '../../../util/json';
import { mayResolve } from '../../files/paths';
import { commandFolderOf, commandOf } from '../../requests/commandLine';
import { filesOfCommand } from './commandFiles';

/**
 * How sure it is that whoever names a file has changed it: `changed`: it says so, by a diff for example; `named`: it is
 * only among what a call was about.
 */
export type Certainty = 'changed' | 'named';

export interface NamedFiles {
  readonly changed: readonly string[];
  readonly named: readonly string[];
}

/** Calls of these kinds change no file. */
const looking: readonly ToolCallEntry['toolKind'][] = ['read', 'search', 'think', 'fetch'];
const editing: readonly ToolCallEntry['toolKind'][] = ['edit', 'delete', 'move'];
/** Of a tool that tells no kind: one of these only looks. */
const lookingName = /^(?:\w+__)*(?:read|list|get|search|find|view|show|open|grep|glob|ls|stat)/i;
/** Under these keys of its input, a tool is given the file that it is about. */
const pathKeys =
  /^(?:(?:abs(?:olute)?|file|target|dest(?:ination)?|output|new|old|source|from|to)?_?(?:path|file|filename|filepath|file_?path))$/i;
/** A line of a patch that names a file. */
const patchedFile = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
/** In characters. */
const longestPatch = 4 * 1024 * 1024;
const mostKeys = 50;
/** Maximum number of files of one call. */
const mostNamed = 1_000;

/** The files that a tool call names, absolute, by what it says of them. `cwd`: where relative paths begin. */
export function filesNamedBy(call: ToolCallEntry, cwd: string): NamedFiles {
  const { toolKind, content, locations, rawInput } = call;
  if (looking.includes(toolKind)) {
    return { changed: [], named: [] };
  }
  const isEditing = editing.includes(toolKind);
  const changes = filesChangedIn(content);
  const about = [...locations.map((it) => it.path), ...pathsIn(rawInput)];
  const isAbout = isEditing || !(lookingName.test(call.name ?? '') || lookingName.test(call.title));
  const command = isEditing ? undefined : commandOf(rawInput);
  const folder = commandFolderOf(rawInput) ?? cwd;
  const changed = [...changes, ...patchedIn(rawInput), ...(isEditing ? about : [])];
  return {
    changed: absolute(changed, [cwd]),
    named: [
      ...(isEditing || !isAbout ? [] : absolute(about, [cwd])),
      ...(command === undefined ? [] : filesNamedByCommand(command, path.resolve(cwd, folder))),
    ].slice(0, mostNamed),
  };
}

/** The files that a command line says that it writes, absolute. */
export function filesNamedByCommand(command: string, folder: string): readonly string[] {
  const { files, folders } = filesOfCommand(command);
  const within = folders.map((it) => path.resolve(folder, it));
  return absolute(files, [folder, ...within.filter((it) => it !== folder).slice(0, 3)]);
}

function pathsIn(rawInput: unknown): readonly string[] {
  return isObject(rawInput)
    ? Object.entries(rawInput)
        .slice(0, mostKeys)
        .flatMap(([key, value]) => (pathKeys.test(key) && typeof value === 'string' ? [value] : []))
    : [];
}

/** The files of patches, as some agents write them, in a command or any other text of the input. */
function patchedIn(rawInput: unknown): readonly string[] {
  const values = isObject(rawInput) ? Object.values(rawInput).slice(0, mostKeys) : [rawInput];
  const texts = values
    .flatMap((value): readonly unknown[] =>
      Array.isArray(value) ? value.slice(0, mostKeys) : [value],
    )
    .filter((text) => typeof text === 'string')
    .filter((text) => text.length <= longestPatch && text.includes('*** Begin Patch'));
  return texts.flatMap((text) =>
    Array.from(text.matchAll(patchedFile), ([, file = '']) => file.trim()).slice(0, mostNamed),
  );
}

/** An agent can name anything; looking at it must not leave this machine. */
function absolute(files: readonly string[], folders: readonly string[]): readonly string[] {
  const all = files
    .slice(0, mostNamed)
    .flatMap((file) => folders.map((folder) => path.resolve(folder, file)));
  return [...new Set(all)].filter(mayResolve);
}
