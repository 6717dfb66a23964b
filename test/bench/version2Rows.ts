import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Session } from '../../src/model/session/session';
import type { Entry, MessageEntry } from '../../src/shared/transcript/entries';
import {
  lastEntryOf,
  replacedBy,
  replacedId,
  replacingVersion2,
  replayingVersion2,
  version2Id as sessionId,
} from './agent';
import { hostMemoryRow } from './hostRows';
import { drainIntoModel, drainRow } from './modelRows';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

const cwd = process.cwd();
const updates = 100_000;

/** The way from agent to model over version 2. */
export function version2ModelRow(): Promise<TableRow> {
  return drainRow({
    what: 'agent to model over version 2, plain Node, 100,000 updates',
    most: 1.25,
    sessionId,
    source: replayingVersion2(cwd, updates),
    look: mustBeWhole,
  });
}

/** A message that its agent goes on replacing as a whole; twice as often must take twice as long. */
export async function version2ReplacedRow(): Promise<TableRow> {
  const load = (times: number) => () =>
    drainIntoModel(sessionId, replacingVersion2(cwd, times), mustBeReplaced);
  const runs = await interleaved(5, load(5_000), load(10_000));
  const [half, whole] = [median(runs.a), median(runs.b)];
  return {
    what: '… a message replaced 10,000 times',
    limit: '≤ 2.4 × the time of 5,000',
    measured: `${(whole / half).toFixed(2)} × (${Math.round(whole)} ms, 5,000 ${Math.round(half)} ms)`,
    met: whole <= 2.4 * half,
  };
}

export async function version2HostRow(): Promise<TableRow> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-')));
  try {
    const { row } = await hostMemoryRow(folder, replayingVersion2(folder, updates), sessionId);
    return { ...row, what: `${row.what} over version 2` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What isn't read costs nothing, so the benchmark ends if anything of the stream is missing. */
function mustBeWhole({ transcript: { entries } }: Session): void {
  const last = entries.filter(isMessage).findLast((entry) => entry.kind === 'user');
  const calls = entries.filter((entry) => entry.kind === 'toolCall').length;
  const text = last && textOf(last);
  if (text !== lastEntryOf(updates) || calls < (3 * updates) / 20 - 3) {
    throw new Error(`${entries.length} entries, ${calls} calls, the last prompt is “${text}”`);
  }
}

function mustBeReplaced({ transcript: { entries } }: Session): void {
  const found = entries.filter(isMessage).filter((entry) => entry.messageId === replacedId);
  const texts = found.map(textOf);
  if (found.length !== 1 || !texts[0]?.startsWith(replacedBy)) {
    throw new Error(`The replaced message is there ${found.length} times: ${texts.join(', ')}`);
  }
}

function isMessage(entry: Entry): entry is MessageEntry {
  return entry.kind === 'user' || entry.kind === 'agent' || entry.kind === 'thought';
}

function textOf({ blocks }: Pick<MessageEntry, 'blocks'>): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
