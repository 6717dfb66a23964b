import * as l10n from '@vscode/l10n';
import type { SessionUpdate } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';
import type { CompactionEntry, TranscriptChange } from '../../shared/transcript/entries';
import type { EntryList } from './entryList';
import { appendBlock, isFull } from './reduceMessage';

/** Ends a summary that exceeds the maximum length. */
const more: Block = { type: 'text', text: l10n.t('… The rest is left out') };

export type CompactionUpdate = Extract<
  SessionUpdate,
  { sessionUpdate: 'compaction_update' | 'compaction_summary_chunk' }
>;

/** The first update fixes the position of the entry; later ones change it there (CP-2, CP-3). */
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

function appended(summary: readonly Block[], content: Block): readonly Block[] {
  if (!isFull(summary)) {
    return appendBlock(summary, content);
  }
  return summary.at(-1) === more ? summary : [...summary, more];
}

function patched(before: CompactionEntry, update: CompactionUpdate): CompactionEntry {
  if (update.sessionUpdate === 'compaction_summary_chunk') {
    return { ...before, summary: appended(before.summary, update.content) };
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
