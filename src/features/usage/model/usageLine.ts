import { asString, isObject, parseJson } from '../../../util/json';
import { getBeginning } from '../../../util/textParts';

/** Counts that are summed, by their names in a line. */
export const countNames = [
  'turns',
  'ms',
  'input',
  'output',
  'thought',
  'cachedRead',
  'cachedWrite',
] as const;

export type UsageCounts = Readonly<Record<(typeof countNames)[number], number>>;

/** What an agent says that a session has cost, or a part of it; the unit need not be a currency. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/** What was used in a session since its line before. */
export interface UsageLine extends UsageCounts {
  /** In ms since the epoch. */
  readonly at: number;
  readonly agent: string;
  readonly folder: string;
  /** A digest of the session's id, by which its next line is told. */
  readonly session: string;
  readonly cost: number;
  /** Of `cost` and `total`; absent if the agent tells no cost. */
  readonly currency?: string;
  /** What the agent said last that the whole session has cost. */
  readonly total?: number;
}

export const noCounts: UsageCounts = {
  ...{ turns: 0, ms: 0, input: 0, output: 0, thought: 0, cachedRead: 0, cachedWrite: 0 },
};

const maxText = 1000;
const maxCurrency = 20;
/** The last time that a `Date` can have; no count is larger. */
const maxCount = 8.64e15;
const maxCost = 1e9;

/** A line of a file; what is 0 is left out. */
export function writeLine(line: UsageLine): string {
  const { agent, folder, currency } = line;
  const short = {
    ...line,
    agent: getBeginning(agent, maxText),
    folder: getBeginning(folder, maxText),
    ...(currency !== undefined && { currency: getBeginning(currency, maxCurrency) }),
  };
  return JSON.stringify(short, (_, value: unknown) => (value === 0 ? undefined : value));
}

/** A line that any version or window may have written; `undefined` if it can't be read. */
export function readLine(text: string): UsageLine | undefined {
  const value = parseJson(text);
  if (!isObject(value)) {
    return undefined;
  }
  const { at, cost, total } = value;
  const [agent, folder, session] = ['agent', 'folder', 'session'].map((name) =>
    textIn(value[name], maxText),
  );
  if (!isCount(at) || agent === undefined || folder === undefined || !session) {
    return undefined;
  }
  const counts = Object.fromEntries(
    countNames.map((name) => [name, isCount(value[name]) ? value[name] : 0]),
  ) as unknown as UsageCounts;
  const currency = textIn(value['currency'], maxCurrency);
  const hasCost = currency !== undefined;
  return {
    ...{ at, agent, folder, session, ...counts },
    cost: hasCost && isAmount(cost) ? cost : 0,
    ...(hasCost && { currency }),
    ...(hasCost && isAmount(total) && { total }),
  };
}

/** Whether an agent's amount can be counted. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxCost;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= maxCount;
}

function textIn(value: unknown, most: number): string | undefined {
  const text = asString(value);
  return text === undefined ? undefined : getBeginning(text, most);
}
