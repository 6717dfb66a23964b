import type { PlanItem } from './content';

/** How far a list is. */
interface Progress {
  readonly done: number;
  readonly count: number;
  /** What is being done, otherwise what is next; absent if nothing is left to do. */
  readonly now?: string;
}

/** Counts what is done of a list. */
export function getProgress(items: readonly PlanItem[]): Progress {
  const now =
    items.find(({ status }) => status === 'in_progress') ??
    items.find(({ status }) => status === 'pending');
  return {
    done: items.filter(({ status }) => status === 'completed').length,
    count: items.length,
    ...(now && { now: now.content }),
  };
}
