import type { SessionUpdate } from '../../protocol/updates';
import type { PlanEntry, TranscriptChange } from '../../shared/transcript/entries';
import type { EntryList } from './entryList';

export type PlanUpdate = Extract<SessionUpdate, { sessionUpdate: 'plan' }>;

/** Plans of one transcript; further ones aren't shown. */
const mostPlans = 1_000;

/** Each plan replaces the previous one with its id in place (PL-1, PL-2, V2-PLAN-1). */
export function reducePlan(list: EntryList, update: PlanUpdate): TranscriptChange | undefined {
  const { planId, entries, blocks } = update;
  const entry: PlanEntry = {
    kind: 'plan',
    ...(planId !== undefined && { planId }),
    items: entries,
    ...(blocks !== undefined && { blocks }),
  };
  const index = list.plans.get(planId);
  if (index !== undefined) {
    list.replace(index, entry);
    return { type: 'updated', index };
  }
  const isEmpty = entries.length === 0 && (blocks ?? []).length === 0;
  if (isEmpty || list.plans.size === mostPlans) {
    return undefined;
  }
  const from = list.push(entry);
  list.plans.set(planId, from);
  return { type: 'appended', from, to: from + 1 };
}
