import type { DrawnEntry } from './drawn';
import type { Entry } from './entries';

/** Whether an entry has nothing to show: a message that the agent has cleared, or a plan that it has removed. */
export function isEmpty(entry: Entry | DrawnEntry): boolean {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return entry.blocks.length === 0;
    case 'plan':
      return entry.items.length === 0 && !entry.blocks?.length;
    default:
      return false;
  }
}
