import type { SessionRow } from '../../../model/agents/agent';
import { fold } from '../../../model/search/searchWords';
import { language } from '../../../shared/language';
import type { SessionFilter, Sorting } from './choices';

/** The facts about a row that don't come from the agent alone. */
export interface RowFacts {
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly alias: string | undefined;
  readonly unread: boolean;
  readonly open: boolean;
  /** Its turn was interrupted with its window, and the user hasn't looked since. */
  readonly interrupted: boolean;
  /** Some of its changes wait for the user's decision. */
  readonly review: boolean;
}

export interface ArrangeOptions {
  readonly filter: SessionFilter;
  readonly sorting: Sorting;
  readonly showsHidden: boolean;
  factsOf(row: SessionRow): RowFacts;
  /** The text besides titles in which the filter's words may occur. */
  surroundings(row: SessionRow): string;
  /** Those of the titles that a rule hides. */
  hidden(titles: readonly string[]): ReadonlySet<string>;
}

export interface Arranged {
  readonly pinned: readonly SessionRow[];
  readonly rest: readonly SessionRow[];
  /** The number of rows that a rule hides, or would hide if hidden ones weren't shown. */
  readonly hidden: number;
}

const titles = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });

/**
 * The rows of a list to show, in order. Rows read ahead are left out unless a filter is set or they
 * concern the user.
 */
export function arrange(rows: readonly SessionRow[], options: ArrangeOptions): Arranged {
  const known = rows.map((row) => ({ row, facts: options.factsOf(row) }));
  const { states, text } = options.filter;
  const isAskedFor = states.length > 0 || text !== '';
  const words = fold(text).split(' ').filter(Boolean);
  const matching = known.filter(
    ({ row, facts }) =>
      passes(facts, options.filter) &&
      (!row.ahead || isAskedFor || isWanted(facts)) &&
      hasWords(row, facts, words, options),
  );
  const noisy = options.hidden(matching.map(({ row }) => row.title));
  const isHidden = ({ row, facts }: (typeof known)[number]): boolean =>
    noisy.has(row.title) && !isWanted(facts);
  const shown = options.showsHidden ? matching : matching.filter((item) => !isHidden(item));
  if (options.sorting === 'title') {
    shown.sort((a, b) =>
      titles.compare(a.facts.alias ?? a.row.title, b.facts.alias ?? b.row.title),
    );
  }
  return {
    pinned: shown.flatMap(({ row, facts }) => (facts.pinned ? [row] : [])),
    rest: shown.flatMap(({ row, facts }) => (facts.pinned ? [] : [row])),
    hidden: matching.filter(isHidden).length,
  };
}

/** Rules never hide what the user has pinned, named or opened, or what was interrupted or waits for review. */
function isWanted({ pinned, alias, open, interrupted, review }: RowFacts): boolean {
  return pinned || open || interrupted || review || alias !== undefined;
}

function hasWords(
  row: SessionRow,
  { alias = '' }: RowFacts,
  words: readonly string[],
  options: ArrangeOptions,
): boolean {
  if (words.length === 0) {
    return true;
  }
  const text = fold(`${alias} ${row.title} ${options.surroundings(row)}`);
  return words.every((word) => text.includes(word));
}

function passes(facts: RowFacts, { states }: SessionFilter): boolean {
  if (facts.archived) {
    return states.includes('archived');
  }
  return states.length === 0 || states.some((state) => facts[state]);
}
