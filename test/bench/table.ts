/** One line of the benchmark's table. */
export interface Row {
  readonly what: string;
  readonly limit: string;
  readonly measured: string;
  readonly met: boolean;
}

export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, limit, measured, met }) =>
      `| ${what} | ${limit} | ${measured} | ${met ? 'yes' : 'no'} |`,
  );
  return ['| what | limit | measured | met |', '|---|---|---|---|', ...lines].join('\n');
}
