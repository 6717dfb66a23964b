import type { SessionRow } from '../agent';

/** A row with its unique rank: rows of equal time are in ascending order of rank. */
export interface RankedRow extends SessionRow {
  readonly rank: number;
  readonly ahead: boolean;
}

/** What a row is besides the session that it shows. */
export type Place = Pick<RankedRow, 'rank' | 'ahead' | 'updatedAt' | 'unlisted'>;

/** Whether `admit` may admit the row. Archived rows show only under a filter, which reads all pages. */
export function isWaiting({ ahead, info }: RankedRow): boolean {
  return ahead && info.archived !== true;
}

/** Newest first, undated last, then by rank: never 0 for different sessions. */
export function compareRows(a: RankedRow, b: RankedRow): number {
  const aTime = a.updatedAt ?? -Infinity;
  const bTime = b.updatedAt ?? -Infinity;
  return aTime === bTime ? a.rank - b.rank : bTime > aTime ? 1 : -1;
}
