/** One line of the benchmark's table. */
export interface TableRow {
  readonly what: string;
  readonly limit: string;
  readonly measured: string;
  readonly met: boolean;
}

export function formatTable(rows: readonly TableRow[]): string {
  const lines = rows.map(
    ({ what, limit, measured, met }) =>
      `| ${what} | ${limit} | ${measured} | ${met ? 'yes' : 'no'} |`,
  );
  return ['| what | limit | measured | met |', '|---|---|---|---|', ...lines].join('\n');
}
