import type { TurnUsage } from '../../shared/transcript/entries';

/** The tokens of several turns. What none of them tells stays absent. */
export function addTokens(a: TurnUsage | undefined, b: TurnUsage): TurnUsage {
  const sum = { ...b };
  for (const [name, count] of Object.entries(a ?? {}) as [keyof TurnUsage, number][]) {
    sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}
