import type { SessionList, SessionRow } from '../agent';

/** What the order of several lists depends on. */
export type OrderedList = Pick<SessionList, 'rows' | 'state' | 'older'>;

/** The rows of several lists in one order. */
export interface MergedRows<L> {
  /** All rows, newest first, each session once; among rows of equal time, those of an earlier list come first. */
  readonly rows: readonly SessionRow[];
  /** The list that each row is from, by the row's key. */
  readonly lists: ReadonlyMap<string, L>;
  /** How many of the first rows no further page can come between. */
  readonly sure: number;
  /** The list whose next page tells how it goes on after these; `undefined` if no list has more. */
  readonly next: L | undefined;
}

/**
 * Merges lists that are newest first. The order is certain down to the newest of the last rows that lists with further
 * pages have: what follows there may be newer than the rest. A list that hasn't answered, or whose next page can't be
 * read, holds nothing back.
 */
export function mergeRows<L extends OrderedList>(lists: readonly L[]): MergedRows<L> {
  const heads = lists.map((list) => ({ list, at: 0, last: hasPages(list) ? lastRead(list) : -1 }));
  const rows: SessionRow[] = [];
  const found = new Map<string, L>();
  let sure: number | undefined;
  let next: L | undefined;
  for (let head = newest(heads); head !== undefined; head = newest(heads)) {
    const row = head.list.rows[head.at];
    if (row !== undefined && !found.has(row.key)) {
      rows.push(row);
      found.set(row.key, head.list);
    }
    if (sure === undefined && head.at === head.last) {
      sure = rows.length;
      next = head.list;
    }
    head.at++;
  }
  return { rows, lists: found, sure: sure ?? rows.length, next: next ?? lists.find(hasPages) };
}

interface Head {
  readonly list: OrderedList;
  at: number;
}

function newest<H extends Head>(heads: readonly H[]): H | undefined {
  let best: H | undefined;
  let bestTime = -Infinity;
  for (const head of heads) {
    const row = head.list.rows[head.at];
    if (row !== undefined) {
      const time = row.updatedAt ?? -Infinity;
      if (best === undefined || time > bestTime) {
        best = head;
        bestTime = time;
      }
    }
  }
  return best;
}

function hasPages({ state, older }: OrderedList): boolean {
  return state.kind === 'loaded' && (older.kind === 'ready' || older.kind === 'loading');
}

/** The index of the last row that wasn't only fetched ahead. */
function lastRead({ rows }: OrderedList): number {
  return rows.findLastIndex(({ ahead }) => ahead !== true);
}

/**
 * Reads the next page of the list that holds the rows back, and pages of others only while no further row is certain: a
 * page may bring nothing but rows that are older than what another list has yet to tell. Never rejects.
 */
export async function readOlder(
  lists: readonly (OrderedList & Pick<SessionList, 'loadMore'>)[],
): Promise<void> {
  const { sure } = mergeRows(lists);
  for (const _ of lists) {
    const { next, sure: now } = mergeRows(lists);
    if (next === undefined || now > sure) {
      return;
    }
    await next.loadMore();
  }
}
