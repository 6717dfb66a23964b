import type { FileChange, ToolContent } from '../shared/transcript/content';
import type { ToolCallEntry } from '../shared/transcript/entries';
import { asArray, asString, isObject, type JsonObject } from '../util/json';
import { isPathLength } from './bounds';
import type { SessionUpdate } from './updates';
import { normaliseUpdate } from './v1/normaliseUpdate';

/** Transcripts are saved as updates of version 1, which every reader knows, whichever version the agent speaks. */
export { entryUpdates, titleUpdate } from './v1/entryUpdates';

/** Reads a saved update, as strictly as one of an agent; `undefined` if it can't be used. */
export function readSavedUpdate(update: unknown): SessionUpdate | undefined {
  const read = normaliseUpdate({ sessionId: '', update });
  return typeof read === 'string' ? undefined : read.update;
}

/** What was saved of an entry besides its updates, see `entryUpdates`. */
export function savedFacts(update: unknown): JsonObject {
  const meta = isObject(update) && isObject(update['_meta']) ? update['_meta'] : {};
  return isObject(meta['acpSessions']) ? meta['acpSessions'] : {};
}

/** A saved call with what an update of version 1 can't express: changes of files, and sizes of terminals. */
export function withSavedFacts(call: ToolCallEntry, facts: JsonObject): ToolCallEntry {
  return withTerminalSizes(withFileChanges(call, facts), facts);
}

function withTerminalSizes(call: ToolCallEntry, { terminalSizes }: JsonObject): ToolCallEntry {
  const terminals = new Map(call.terminals);
  for (const saved of asArray(terminalSizes)) {
    const { id, columns, rows } = isObject(saved) ? saved : {};
    const state = typeof id === 'string' ? terminals.get(id) : undefined;
    if (typeof id === 'string' && state !== undefined && isSize(columns) && isSize(rows)) {
      terminals.set(id, { ...state, size: { columns, rows } });
    }
  }
  return terminals.size === 0 ? call : { ...call, terminals };
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function withFileChanges(call: ToolCallEntry, { fileChanges }: JsonObject): ToolCallEntry {
  const changes = new Map<unknown, FileChange>();
  for (const saved of asArray(fileChanges)) {
    const change = isObject(saved) ? fileChangeIn(saved) : undefined;
    if (isObject(saved) && change !== undefined) {
      changes.set(saved['at'], change);
    }
  }
  const restored = (item: ToolContent, at: number): ToolContent => changes.get(at) ?? item;
  return changes.size === 0 ? call : { ...call, content: call.content.map(restored) };
}

const operations = ['add', 'delete', 'modify', 'move', 'copy', 'other'] as const;
const fileTypes = ['text', 'binary', 'directory', 'symlink'] as const;

function fileChangeIn(saved: JsonObject): FileChange | undefined {
  const operation = operations.find((known) => known === saved['operation']);
  const fileType = fileTypes.find((known) => known === saved['fileType']);
  const path = asString(saved['path']);
  const oldPath = asString(saved['oldPath']);
  if (operation === undefined || path === undefined || !isPathLength(path)) {
    return undefined;
  }
  return {
    type: 'fileChange',
    ...{ operation, path },
    ...(oldPath !== undefined && isPathLength(oldPath) && { oldPath }),
    ...(fileType !== undefined && { fileType }),
  };
}
