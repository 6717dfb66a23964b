import path from 'node:path';
import { findCommand } from '../../../model/calls/commandLine';
import { comparablePath } from '../../../model/files/paths';
import { changedLineCount, type LineCount } from '../../../model/text/changedLines';
import {
  type Block,
  type Diff,
  diffsIn,
  type FileChange,
  fileChangesIn,
  filesChangedIn,
  type ToolKind,
} from '../../../shared/transcript/content';
import type { Entry, SubagentEntry, ToolCallEntry } from '../../../shared/transcript/entries';
import { Effort } from '../../../util/effort';
import { isObject } from '../../../util/json';
import { isNetworkPath } from '../../../util/networkPath';
import type { SearchEntry, Touch, TouchAct } from './searchIndex';

/** The searchable part of an entry: messages in full, tool calls by their subject and changes. */

const maxMessageLength = 100_000;
/** Maximum number of characters of a tool's result. */
const maxResultLength = 1_000;
const maxCommandLength = 1_000;
/** Maximum number of characters of the lines that a call adds and removes. */
const maxChangesLength = 20_000;
/**
 * Characters of a file before and after a change together; comparing more would be noticeably slow.
 */
const maxComparedLength = 1_000_000;
const maxFiles = 200;
const maxPathLength = 4_096;
/** Steps that comparing a call's changes may take; the rest is counted roughly. */
const comparingEffort = 20_000;
const noLines: LineCount = { added: 0, removed: 0 };

const nothing: SearchEntry = { text: '', touches: [] };

/** `cwd`: the base of the session's relative paths. */
export function toSearchEntry(entry: Entry, cwd: string): SearchEntry {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return textOnly(entry.blocks.map(blockText));
    case 'plan':
      return textOnly([
        ...entry.items.map(({ content }) => content),
        ...(entry.blocks ?? []).map(blockText),
      ]);
    case 'compaction':
      return textOnly(entry.summary.map(blockText));
    case 'toolCall':
      return { text: joined(toolCallTexts(entry)), touches: getTouches(entry, cwd) };
    case 'elicitation':
      return textOnly([entry.message]);
    case 'subagent':
      return subagentEntry(entry, cwd);
    // The call that follows contains what a permission asks for; the others aren't texts of the conversation.
    case 'permission':
    case 'unknown':
    case 'turn':
      return nothing;
  }
}

/** What a subagent did is found at its entry. */
function subagentEntry({ title, description, entries }: SubagentEntry, cwd: string): SearchEntry {
  const texts = [title, description ?? ''];
  const touches: Touch[] = [];
  let length = 0;
  for (const entry of entries) {
    const inner = toSearchEntry(entry, cwd);
    length += inner.text.length;
    texts.push(inner.text);
    touches.push(...inner.touches.slice(0, maxFiles - touches.length));
    if (length > maxMessageLength) {
      break;
    }
  }
  return { text: joined(texts), touches };
}

function textOnly(texts: readonly string[]): SearchEntry {
  return { text: joined(texts), touches: [] };
}

function joined(texts: readonly string[]): string {
  const text = texts.filter((part) => part !== '').join('\n');
  // NUL separates the entries in the index.
  return text.slice(0, maxMessageLength).replaceAll('\0', ' ').normalize('NFC');
}

function toolCallTexts({ title, locations, content, rawInput }: ToolCallEntry): readonly string[] {
  const paths = [...locations.map((named) => named.path), ...filesChangedIn(content)];
  const results = content.flatMap((item) =>
    item.type === 'content' ? [blockText(item.block)] : [],
  );
  return [
    title,
    ...new Set(paths.slice(0, maxFiles)),
    getSubject(rawInput).slice(0, maxCommandLength),
    beginning(results, maxResultLength),
    beginning(lazily(diffsIn(content), changedLines), maxChangesLength),
  ];
}

/** The beginning of the joined texts; texts after it aren't evaluated. */
function beginning(texts: Iterable<string>, longest: number): string {
  let all = '';
  for (const text of texts) {
    all += all === '' ? text : `\n${text}`;
    if (all.length >= longest) {
      break;
    }
  }
  return all.slice(0, longest);
}

function* lazily(diffs: readonly Diff[], getText: (diff: Diff) => string): Generator<string> {
  for (const diff of diffs) {
    yield getText(diff);
  }
}

/** The lines that the file didn't have before, and those that it no longer has. */
function changedLines({ oldText, newText }: Diff): string {
  if (!oldText) {
    return newText.slice(0, maxChangesLength);
  }
  if (oldText.length + newText.length > maxComparedLength) {
    return '';
  }
  const before = new Set(oldText.split('\n'));
  const after = new Set(newText.split('\n'));
  const added = [...after].filter((line) => !before.has(line));
  const removed = [...before].filter((line) => !after.has(line));
  return [...added, ...removed].join('\n');
}

/** The command, pattern or address in an input; what else it says isn't indexed. */
function getSubject(rawInput: unknown): string {
  const { pattern, query, url } = isObject(rawInput) ? rawInput : {};
  return [findCommand(rawInput), pattern, query, url]
    .filter((word) => typeof word === 'string')
    .join(' ');
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return block.uri;
    case 'resource_link':
      return `${block.title ?? block.name} ${block.uri}`;
    case 'image':
    case 'audio':
    case 'unknown':
      return '';
  }
}

/** What the kind of a call says about the files it names; a search only lists files. */
const actOfKind: Readonly<Partial<Record<ToolKind, TouchAct>>> = {
  read: 'read',
  edit: 'edited',
  delete: 'deleted',
  move: 'moved',
};

const actOfChange: Readonly<Record<FileChange['operation'], TouchAct>> = {
  add: 'edited',
  modify: 'edited',
  copy: 'edited',
  other: 'edited',
  delete: 'deleted',
  move: 'moved',
};

/** A call that failed or wasn't allowed has touched nothing. */
function getTouches(
  { status, toolKind, locations, content }: ToolCallEntry,
  cwd: string,
): readonly Touch[] {
  if (status === 'failed' || status === 'rejected' || status === 'cancelled') {
    return [];
  }
  const effort = new Effort(comparingEffort);
  const touches = new Map<string, Touch>();
  const note = (path: string, act: TouchAct, lines: LineCount): void => {
    if (path.length > maxPathLength || path.includes('\0')) {
      return;
    }
    const file = comparableFile(path, cwd);
    const { added, removed } = touches.get(file) ?? noLines;
    if (touches.size < maxFiles || touches.has(file)) {
      const sum = { added: added + lines.added, removed: removed + lines.removed };
      touches.set(file, { file, act, ...sum });
    }
  };
  if (toolKind !== 'search') {
    for (const { path } of locations.slice(0, maxFiles)) {
      note(path, actOfKind[toolKind] ?? 'used', noLines);
    }
  }
  for (const diff of diffsIn(content).slice(0, maxFiles)) {
    note(diff.path, 'edited', changedLineCount(diff, effort));
  }
  for (const { operation, path, oldPath } of fileChangesIn(content).slice(0, maxFiles)) {
    note(path, actOfChange[operation], noLines);
    if (operation === 'move' && oldPath !== undefined) {
      note(oldPath, 'moved', noLines);
    }
  }
  return [...touches.values()];
}

/** Handles text only: paths that an agent names aren't looked up on disk. */
export function comparableFile(file: string, cwd: string): string {
  const isWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(cwd);
  const { win32, posix } = path;
  const paths = isWindows ? win32 : posix;
  const isWhole = paths.isAbsolute(file) || isNetworkPath(file);
  return comparablePath(isWhole ? file : paths.join(cwd, file));
}
