import { countNames, noCounts, type UsageCounts, type UsageLine } from './usageLine';

/** What several turns have used. */
export interface UsageSum {
  readonly counts: UsageCounts;
  /** By currency. */
  readonly costs: ReadonlyMap<string, number>;
}

/** What an agent has used in a folder on a day. */
export interface UsageGroup extends UsageSum {
  /** The local date, as `2026-11-28`. */
  readonly day: string;
  readonly agent: string;
  readonly folder: string;
}

/** Units of a cost in one sum; no agent changes them so often. */
const maxCurrencies = 10;

/** Sums lines by day, agent and folder; the latest day first. */
export async function sumUsage(
  months: AsyncIterable<readonly UsageLine[]>,
): Promise<readonly UsageGroup[]> {
  const groups = new Map<string, UsageGroup>();
  for await (const lines of months) {
    for (const { at, agent, folder, cost, currency, ...counts } of lines) {
      const day = localDay(at);
      const key = JSON.stringify([day, agent, folder]);
      const before = groups.get(key);
      const costs = new Map(currency === undefined || cost === 0 ? [] : [[currency, cost]]);
      groups.set(key, { day, agent, folder, ...addUp(before, { counts, costs }) });
    }
  }
  return [...groups.values()].sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
}

/** The sums by a member of the groups, in the order of their first groups. */
export function sumBy(
  groups: readonly UsageGroup[],
  by: 'day' | 'agent' | 'folder',
): ReadonlyMap<string, UsageSum> {
  const sums = new Map<string, UsageSum>();
  for (const group of groups) {
    sums.set(group[by], addUp(sums.get(group[by]), group));
  }
  return sums;
}

/** The sum of all. */
export function addAll(sums: Iterable<UsageSum>): UsageSum {
  let all: UsageSum = { counts: noCounts, costs: new Map() };
  for (const sum of sums) {
    all = addUp(all, sum);
  }
  return all;
}

function addUp(a: UsageSum | undefined, b: UsageSum): UsageSum {
  const counts = Object.fromEntries(
    countNames.map((name) => [name, (a?.counts[name] ?? 0) + b.counts[name]]),
  ) as unknown as UsageCounts;
  const costs = new Map(a?.costs);
  for (const [currency, amount] of b.costs) {
    if (costs.has(currency) || costs.size < maxCurrencies) {
      costs.set(currency, (costs.get(currency) ?? 0) + amount);
    }
  }
  return { counts, costs };
}

function localDay(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
