import { maxDepth, maxSubagents } from '../../../model/subagents/subagents';
import { EntryList } from '../../../model/transcript/entryList';
import { reduce } from '../../../model/transcript/reduce';
import type { NestedEntries } from '../../../model/transcript/shownTranscript';
import { boundedId, boundedTitle } from '../../../protocol/bounds';
import {
  entryUpdates,
  readSavedUpdate,
  savedFacts,
  withSavedFacts,
} from '../../../protocol/savedUpdates';
import { isUnfinished } from '../../../shared/transcript/content';
import type {
  Entry,
  SubagentEntry,
  SubagentState,
  ToolCallState,
} from '../../../shared/transcript/entries';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';

/** Stands for an entry that isn't read yet, or can't be. */
export const unreadEntry: Entry = { kind: 'agent', blocks: [{ type: 'text', text: '…' }] };

/**
 * An entry as JSON: its updates in the terms of the protocol, of which each entry has its own, so that any part of a
 * transcript can be read without the rest. `undefined` for what an agent doesn't replay either: requests, and the ends
 * of turns.
 */
export function cachedEntry(entries: readonly Entry[], index: number): unknown {
  const entry = entries[index];
  if (entry === undefined || !isKept(entry)) {
    return undefined;
  }
  if (entry.kind !== 'subagent') {
    return entryUpdates(entry, '').map(({ update }) => update);
  }
  const { number, sessionId, callId, title, description, state } = entry;
  return {
    ...{ number, sessionId, callId, title, description, state },
    // Counted in the entries that are kept.
    above: entry.call === undefined ? undefined : keptIn(entries.slice(entry.call, index)),
    entries: entry.entries.map((_, at) => cachedEntry(entry.entries, at)).filter(isValue),
  };
}

/**
 * Reads an entry as strictly as an agent's updates; nothing in it is live. `before`: the entries above it, of which
 * there may be none yet. Never throws.
 */
export function readCachedEntry(
  value: unknown,
  before: readonly Entry[],
  nested: NestedEntries,
): Entry {
  return readEntry(value, before, nested, 0) ?? unreadEntry;
}

function readEntry(
  value: unknown,
  before: readonly Entry[],
  nested: NestedEntries,
  depth: number,
): Entry | undefined {
  return isObject(value) ? readSubagent(value, before, nested, depth) : readUpdates(asArray(value));
}

function readUpdates(updates: readonly unknown[]): Entry | undefined {
  const list = new EntryList();
  for (const update of updates) {
    const read = readSavedUpdate(update);
    if (read !== undefined) {
      reduce(list, read);
    }
  }
  const entry = list.at(0);
  return entry && atRest(entry, savedFacts(updates[0]));
}

function atRest(entry: Entry, facts: JsonObject): Entry {
  const { status, dropped, command } = facts;
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return {
        ...entry,
        ...(entry.kind === 'user' && command === true && { command }),
        ...(dropped === true && { dropped }),
      };
    case 'toolCall': {
      const ended = endings.find((ending) => ending === status) ?? endedStatus(entry.status);
      const call = withSavedFacts(entry, facts);
      return { ...call, status: ended, ...(dropped === true && { dropped }) };
    }
    case 'compaction':
      return isUnfinished(entry.status) ? { ...entry, status: 'interrupted' } : entry;
    default:
      return entry;
  }
}

const endings = ['cancelled', 'interrupted', 'rejected'] as const;

function endedStatus(status: ToolCallState): ToolCallState {
  return isUnfinished(status) ? 'interrupted' : status;
}

function readSubagent(
  value: JsonObject,
  before: readonly Entry[],
  nested: NestedEntries,
  depth: number,
): SubagentEntry | undefined {
  const { number, above, state } = value;
  const title = asString(value['title']);
  // One more stands for all that are too many to show.
  if (!isCount(number, maxSubagents + 1) || nested.has(number) || title === undefined) {
    return undefined;
  }
  const sessionId = asString(value['sessionId']);
  const callId = asString(value['callId']);
  const description = asString(value['description']);
  const entries: Entry[] = [];
  nested.set(number, entries);
  for (const each of depth < maxDepth ? asArray(value['entries']) : []) {
    entries.push(readEntry(each, entries, nested, depth + 1) ?? unreadEntry);
  }
  const call = typeof above === 'number' ? before.length - above : -1;
  return {
    kind: 'subagent',
    number,
    ...(sessionId !== undefined && { sessionId: boundedId(sessionId) }),
    ...(callId !== undefined && { callId: boundedId(callId) }),
    title: boundedTitle(title),
    ...(description !== undefined && { description: boundedTitle(description) }),
    state: readState(state),
    entries,
    calls: callsIn(entries),
    ...(before[call]?.kind === 'toolCall' && { call }),
  };
}

function isCount(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}

/** Reads a state; the subagent doesn't run, because nobody says how it continued. */
function readState(state: unknown): SubagentState {
  if (!isObject(state) || state['kind'] !== 'idle') {
    return { kind: 'unknown' };
  }
  const stopReason = asString(state['stopReason']);
  const error = asString(state['error']);
  return {
    kind: 'idle',
    ...(stopReason !== undefined && { stopReason: boundedTitle(stopReason) }),
    ...(error !== undefined && { error: boundedTitle(error) }),
  };
}

function callsIn(entries: readonly Entry[]): ReadonlyMap<string, number> {
  return new Map(
    entries.flatMap((entry, index) =>
      entry.kind === 'toolCall' ? [[entry.toolCallId, index] as const] : [],
    ),
  );
}

/** Messages that the agent has cleared aren't drawn, and so aren't kept. */
function isKept(entry: Entry): boolean {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return entry.blocks.length > 0;
    case 'permission':
    case 'elicitation':
    case 'turn':
      return false;
    default:
      return true;
  }
}

function keptIn(entries: readonly Entry[]): number {
  return entries.filter(isKept).length;
}

function isValue(value: unknown): boolean {
  return value !== undefined;
}
