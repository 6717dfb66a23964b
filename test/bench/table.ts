/** One line of the benchmark's table. */
export interface Row {
  readonly what: string;
  readonly asked: string;
  readonly measured: string;
  readonly met: boolean;
}

export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, asked, measured, met }) =>
      `| ${what} | ${asked} | ${measured} | ${met ? 'yes' : 'no'} |`,
  );
  return ['| what | limit | measured | met |', '|---|---|---|---|', ...lines].join('\n');
}
