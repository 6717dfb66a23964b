import type { SessionRow } from '../../../model/agent';
import { fold } from '../../../model/search/searchWords';
import { language } from '../../../shared/language';
import type { SessionChoices, SessionFilter } from './choices';
import { type Families, familiesOf, type RowOrigin } from './families';

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
  /** Where it was forked, if it is a branch of another session. */
  readonly origin?: RowOrigin;
}

/** What decides which rows show, and in which order. */
export interface RowRules {
  readonly choices: Pick<SessionChoices, 'filter' | 'sorting' | 'showsHidden'>;
  factsOf(row: SessionRow): RowFacts;
  /** Those of the titles that a rule hides. */
  hidden(titles: readonly string[]): ReadonlySet<string>;
}

export interface Arranged {
  readonly pinned: Families;
  readonly rest: Families;
  /** The number of rows that a rule hides, or would hide if hidden ones weren't shown. */
  readonly hidden: number;
}

const titles = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });

/**
 * The rows of a list to show, in order, branches under their origins. Rows read ahead are left out unless a filter is set or they
 * concern the user. `surroundings` is the text besides titles in which the filter's words may occur.
 */
export function arrange(
  rows: readonly SessionRow[],
  rules: RowRules,
  surroundings: (row: SessionRow) => string,
): Arranged {
  const known = rows.map((row) => ({ row, facts: rules.factsOf(row) }));
  const { filter, sorting, showsHidden } = rules.choices;
  const { states, text } = filter;
  const isAskedFor = states.length > 0 || text !== '';
  const words = fold(text).split(' ').filter(Boolean);
  const matching = known.filter(
    ({ row, facts }) =>
      passes(facts, filter) &&
      (!row.ahead || isAskedFor || isWanted(facts)) &&
      hasWords(row, facts, words, surroundings),
  );
  const noisy = rules.hidden(matching.map(({ row }) => row.title));
  const isHidden = ({ row, facts }: (typeof known)[number]): boolean =>
    noisy.has(row.title) && !isWanted(facts);
  const shown = showsHidden ? matching : matching.filter((item) => !isHidden(item));
  if (sorting === 'title') {
    shown.sort((a, b) =>
      titles.compare(a.facts.alias ?? a.row.title, b.facts.alias ?? b.row.title),
    );
  }
  const origins = new Map(shown.map(({ row, facts }) => [row.key, facts.origin]));
  const together = (members: typeof shown): Families =>
    familiesOf(
      members.map(({ row }) => row),
      ({ key }) => origins.get(key),
    );
  return {
    pinned: together(shown.filter(({ facts }) => facts.pinned)),
    rest: together(shown.filter(({ facts }) => !facts.pinned)),
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
  surroundings: (row: SessionRow) => string,
): boolean {
  if (words.length === 0) {
    return true;
  }
  const text = fold(`${alias} ${row.title} ${surroundings(row)}`);
  return words.every((word) => text.includes(word));
}

function passes(facts: RowFacts, { states }: SessionFilter): boolean {
  if (facts.archived) {
    return states.includes('archived');
  }
  return states.length === 0 || states.some((state) => facts[state]);
}
