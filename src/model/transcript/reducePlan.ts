import type { SessionUpdate } from '../../protocol/updates';
import type { PlanEntry, TranscriptChange } from '../../shared/transcript/entries';
import type { EntryList } from './entryList';

export type PlanUpdate = Extract<SessionUpdate, { sessionUpdate: 'plan' }>;

/** Each plan replaces the previous one in place (PL-1, PL-2). */
export function reducePlan(list: EntryList, update: PlanUpdate): TranscriptChange | undefined {
  const entry: PlanEntry = { kind: 'plan', items: update.entries };
  if (list.plan !== undefined) {
    list.replace(list.plan, entry);
    return { type: 'updated', index: list.plan };
  }
  if (update.entries.length === 0) {
    return undefined;
  }
  list.plan = list.push(entry);
  return { type: 'appended', from: list.plan, to: list.plan + 1 };
}
