import path from 'node:path';
import { boundedText, isPathLength, maxItems } from '../../protocol/bounds';
import { readGitPatch, withoutPrefix } from '../../protocol/gitPatch';
import type { FileLocation, ToolKind } from '../../shared/transcript/content';
import { isObject, type JsonObject } from '../../util/json';
import { copied } from '../../util/textParts';
import { beginPatch, type FilePart, readApplyPatch } from './applyPatch';
import { findCommandFolder } from './commandLine';
import { parsedJson } from './parsedJson';

/** The changes and files that a tool's input tells, by the names that agents use. */

export const pathKeys = [
  'file_path',
  'filePath',
  'filepath',
  'path',
  'absolute_path',
  'absolutePath',
  'fileName',
  'file_name',
  'filename',
  'target_file',
  'targetFile',
  'file',
] as const;
export const pathListKeys = [
  'paths',
  'files',
  'file_paths',
  'filePaths',
  'edits',
  'changes',
] as const;
const oldKeys = ['old_string', 'oldString', 'old_str', 'oldStr', 'old_text', 'oldText'] as const;
const newKeys = ['new_string', 'newString', 'new_str', 'newStr', 'new_text', 'newText'] as const;
const wholeKeys = ['content', 'contents', 'file_text', 'fileText'] as const;
/** Keys for texts of a change. */
export const editKeys = [...oldKeys, ...newKeys, ...wholeKeys] as const;
const lineKeys = ['line', 'start_line', 'startLine', 'offset'] as const;
const insertKeys = ['insert_line', 'insertLine'] as const;
const patchKeys = ['diff', 'patch'] as const;

/** Kinds of calls that may change files. */
const changing: ReadonlySet<ToolKind> = new Set<ToolKind>([
  'edit',
  'delete',
  'move',
  'execute',
  'other',
]);
/** Kinds of calls whose input names the files that they are about. */
const naming: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'edit', 'delete', 'move']);

/** Depth and number of values to which an input is searched for patches. */
const deepest = 8;
const maxValues = 2_000;
const maxLocations = 100;

/** An input's changes are read once for each kind, and stay the same objects. */
const read = new WeakMap<object, Map<ToolKind, readonly FilePart[]>>();

const none: readonly FilePart[] = [];

/** The changes to files that a call's input tells. There is one more than `maxItems` if some are left out. */
export function editsIn(rawInput: unknown, kind: ToolKind): readonly FilePart[] {
  if (!changing.has(kind) || rawInput === undefined) {
    return none;
  }
  if (!isObject(rawInput)) {
    return readEdits(rawInput, kind);
  }
  const known = read.get(rawInput)?.get(kind);
  if (known !== undefined) {
    return known;
  }
  const parts = readEdits(rawInput, kind);
  // Most inputs tell none, and remembering that costs more than reading it again.
  if (parts.length > 0) {
    read.set(rawInput, new Map(read.get(rawInput)).set(kind, parts));
  }
  return parts;
}

function readEdits(rawInput: unknown, kind: ToolKind): readonly FilePart[] {
  const patches: string[] = [];
  addPatchTexts(rawInput, patches, { values: maxValues }, deepest);
  if (kind === 'execute' && patches.length === 0) {
    return none;
  }
  const parts: FilePart[] = [];
  for (const part of allEdits(rawInput, patches, kind)) {
    if (
      !isPathLength(part.path) ||
      (part.type === 'fileChange' && !isPathLength(part.oldPath ?? ''))
    ) {
      continue;
    }
    parts.push(part);
    if (parts.length > maxItems) {
      break;
    }
  }
  const folder = parts.length === 0 ? undefined : findCommandFolder(rawInput);
  return parts.map((part) => placed(part, folder));
}

/** What an input tells in more than one way is read in the first of them. */
function* allEdits(
  rawInput: unknown,
  patches: readonly string[],
  kind: ToolKind,
): Generator<FilePart, void> {
  let isTold = false;
  for (const text of patches) {
    for (const part of readApplyPatch(text)) {
      isTold = true;
      yield part;
    }
  }
  const input = parsedJson(rawInput) ?? rawInput;
  if (isTold || kind === 'execute' || !isObject(input)) {
    return;
  }
  for (const part of namedEdits(input, kind)) {
    isTold = true;
    yield part;
  }
  if (!isTold) {
    yield* unifiedDiffs(input);
  }
}

/** Adds the texts in an input that may have a patch. */
function addPatchTexts(
  value: unknown,
  texts: string[],
  budget: { values: number },
  depth: number,
): void {
  budget.values--;
  if (depth === 0 || budget.values < 0) {
    return;
  }
  if (typeof value === 'string') {
    const inner = value.includes(beginPatch) ? parsedJson(value) : undefined;
    if (inner !== undefined) {
      addPatchTexts(inner, texts, budget, depth - 1);
    } else if (value.includes(beginPatch)) {
      texts.push(value);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      addPatchTexts((value as JsonObject)[key], texts, budget, depth - 1);
    }
  }
}

/** Changes that are given as texts before and after, or as the whole text. */
function* namedEdits(input: JsonObject, kind: ToolKind): Generator<FilePart, void> {
  const file = textAt(input, pathKeys);
  const { edits, changes } = input;
  for (const list of [edits, changes]) {
    for (const edit of Array.isArray(list) ? list : []) {
      const own = isObject(edit) ? (textAt(edit, pathKeys) ?? file) : undefined;
      const part = own !== undefined && isObject(edit) ? replacement(edit, own) : undefined;
      if (part !== undefined) {
        yield part;
      }
    }
  }
  const only =
    file === undefined ? undefined : (replacement(input, file) ?? whole(input, file, kind));
  if (only !== undefined) {
    yield only;
  }
}

function replacement(input: JsonObject, file: string): FilePart | undefined {
  const newText = textAt(input, newKeys);
  const isInsertion = insertKeys.some((key) => typeof input[key] === 'number');
  const oldText = textAt(input, oldKeys) ?? (isInsertion ? '' : undefined);
  return oldText === undefined || newText === undefined || oldText === newText
    ? undefined
    : { type: 'diff', path: file, oldText: boundedText(oldText), newText: boundedText(newText) };
}

/** The text of a file to be written: tools of other kinds may do anything with a path and a content. */
function whole(input: JsonObject, file: string, kind: ToolKind): FilePart | undefined {
  const text = kind === 'edit' ? textAt(input, wholeKeys) : undefined;
  return text === undefined
    ? undefined
    : { type: 'diff', path: file, oldText: null, newText: boundedText(text) };
}

/** Changes in the format of `git diff`, or of `diff -u` for one file. */
function* unifiedDiffs(input: JsonObject): Generator<FilePart, void> {
  const text = textAt(input, patchKeys);
  const named = textAt(input, pathKeys);
  for (const section of text === undefined ? [] : readGitPatch(withFirstLine(text))) {
    const bare = copied(withoutPrefix(section.path));
    const file = named?.endsWith(bare) === true ? named : bare;
    if (section.isDeleted) {
      yield { type: 'fileChange', operation: 'delete', path: file };
    }
    for (const { oldText, newText } of section.hunks()) {
      yield {
        ...{ type: 'diff', path: file, newText: boundedText(newText) },
        oldText: oldText === '' ? null : boundedText(oldText),
      };
    }
  }
}

function withFirstLine(text: string): string {
  const at = /^--- /m.exec(text.slice(0, 10_000))?.index;
  const isGit = text.startsWith('diff --git ') || text.includes('\ndiff --git ');
  return isGit || at === undefined ? text : `diff --git \n${text.slice(at)}`;
}

/** A part with its paths in the folder that the input names. */
function placed(part: FilePart, folder: string | undefined): FilePart {
  if (folder === undefined || !path.isAbsolute(folder)) {
    return part;
  }
  const inFolder = (file: string): string => path.resolve(folder, file);
  return part.type === 'fileChange' && part.oldPath !== undefined
    ? { ...part, path: inFolder(part.path), oldPath: inFolder(part.oldPath) }
    : { ...part, path: inFolder(part.path) };
}

/** The files that a call's input names, for calls that are about files. */
export function locationsIn(rawInput: unknown, kind: ToolKind): readonly FileLocation[] {
  const input = naming.has(kind) ? (parsedJson(rawInput) ?? rawInput) : undefined;
  if (!isObject(input)) {
    return [];
  }
  const listed = pathListKeys.flatMap((key): readonly unknown[] => {
    const list = input[key];
    return Array.isArray(list) ? list.slice(0, maxLocations) : [];
  });
  const all = [input, ...listed].flatMap(getLocation).slice(0, maxLocations);
  return all.filter(({ path: file }) => isPathLength(file));
}

function getLocation(value: unknown): readonly FileLocation[] {
  if (typeof value === 'string') {
    return value === '' ? [] : [{ path: value }];
  }
  const file = isObject(value) ? textAt(value, pathKeys) : undefined;
  if (file === undefined || !isObject(value)) {
    return [];
  }
  const line = lineKeys
    .map((key) => value[key])
    .find((at) => Number.isInteger(at) && Number(at) > 0);
  return [{ path: file, ...(typeof line === 'number' && { line }) }];
}

/** The first text under one of these keys; of a path, it isn't empty. */
function textAt(input: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && (value !== '' || keys !== pathKeys)) {
      return value;
    }
  }
  return undefined;
}
