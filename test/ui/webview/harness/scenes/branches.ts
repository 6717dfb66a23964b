import type { Held, ShownBranches } from '../../../../../src/shared/transcript/branches';
import { agent, user } from '../entries';

export const entries = [
  user('Fix the rounding'),
  agent('Sums are in cents now.'),
  user('Now the tests'),
  agent('They pass.'),
];

export const none: ShownBranches = { forks: [] };

export function origin(held: Held): ShownBranches {
  return { ...none, origin: { title: 'Fix the cart', turn: 4, held } };
}
