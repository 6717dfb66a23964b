import type { Entry } from '../../../../../src/shared/transcript/entries';
import type { ReviewedTurn, ShownReview } from '../../../../../src/shared/transcript/reviewed';
import { agent, toolCall, user } from '../entries';

const file = '/project/shop/src/cart.ts';

function edit(id: string, newText: string): Entry {
  return toolCall({
    toolCallId: id,
    title: 'Edit src/cart.ts',
    toolKind: 'edit',
    content: [{ type: 'diff', path: file, oldText: 'let sum = 0;', newText }],
  });
}

/** Two turns of which the first has two edits. */
export const entries: readonly Entry[] = [
  user('Fix the rounding'),
  edit('a', 'let cents = 0;'),
  edit('b', 'let cents = 1;'),
  agent('Sums are in cents now.'),
  user('Now the tests'),
  edit('c', 'let total = 0;'),
];

export function turn(rest: Partial<ReviewedTurn> = {}): ReviewedTurn {
  const numbers = { files: 3, added: 12, removed: 4 };
  return { turn: 1, prompt: 0, last: 3, ...numbers, state: 'pending', ...rest };
}

export const second = turn({ turn: 2, prompt: 4, last: 5, files: 1, added: 1, removed: 1 });

export function review(
  turns: readonly ReviewedTurn[],
  diffs: ShownReview['diffs'] = [],
): ShownReview {
  return { turns, unrecorded: [], diffs };
}
