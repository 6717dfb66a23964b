import type { SessionUpdate } from '../protocol/updates';
import type { CompactionEntry, TranscriptChange } from '../shared/entries';
import type { EntryList } from './entryList';
import { appendBlock } from './reduceMessage';

export type CompactionUpdate = Extract<
  SessionUpdate,
  { sessionUpdate: 'compaction_update' | 'compaction_summary_chunk' }
>;

/** The first update fixes the place, later ones change the entry there (CP-2, CP-3). */
export function reduceCompaction(list: EntryList, update: CompactionUpdate): TranscriptChange {
  const { compactionId } = update;
  const index = list.compactions.get(compactionId);
  const before = index === undefined ? undefined : list.at(index);
  if (index === undefined || before?.kind !== 'compaction') {
    const empty = { kind: 'compaction', compactionId, status: 'in_progress', summary: [] } as const;
    const added = list.push(patched(empty, update));
    list.compactions.set(compactionId, added);
    return { type: 'appended', from: added, to: added + 1 };
  }
  list.replace(index, patched(before, update));
  return { type: 'updated', index };
}

function patched(before: CompactionEntry, update: CompactionUpdate): CompactionEntry {
  if (update.sessionUpdate === 'compaction_summary_chunk') {
    return { ...before, summary: appendBlock(before.summary, update.content) };
  }
  const error = update.error === undefined ? before.error : update.error;
  return {
    kind: 'compaction',
    compactionId: before.compactionId,
    status: update.status,
    summary: update.summary === undefined ? before.summary : (update.summary ?? []),
    ...(typeof error === 'string' && { error }),
  };
}
