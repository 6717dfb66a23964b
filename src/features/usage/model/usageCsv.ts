import { cleanText } from '../../../model/text/titles';
import type { UsageGroup } from './usageSums';

/** Programs that read the file know the columns by these names, whatever the language. */
const header = [
  ...['Day', 'Agent', 'Folder', 'Turns', 'Working time (s)', 'Input tokens', 'Output tokens'],
  ...['Reasoning tokens', 'Tokens read from cache', 'Tokens written to cache', 'Cost', 'Unit'],
];
/** UTF-16 units of a cell. */
const longest = 2000;

/**
 * The usage as CSV (RFC 4180), a row for each day, agent and folder; a further unit of the cost has a row of its own
 * without counts. It begins with a byte order mark, without which spreadsheets take it for another encoding.
 */
export function usageCsv(groups: readonly UsageGroup[], nameOf: (agent: string) => string): string {
  const rows = groups.flatMap((group) => {
    const { day, agent, folder, counts, costs } = group;
    const { turns, ms, input, output, thought, cachedRead, cachedWrite } = counts;
    const used = [turns, Math.round(ms / 1000), input, output, thought, cachedRead, cachedWrite];
    const [first = ['', ''], ...others] = [...costs].map(([unit, amount]) => [
      rounded(amount),
      unit,
    ]);
    const place = [day, nameOf(agent), folder];
    return [
      [...place, ...used, ...first],
      ...others.map((cost) => [...place, ...used.map(() => 0), ...cost]),
    ];
  });
  const lines = [header, ...rows].map((cells) => cells.map(cell).join(','));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

/** Without the noise of binary fractions. */
function rounded(amount: number): number {
  return Number(amount.toFixed(6));
}

/** A spreadsheet would take a text that begins like a formula for one, and run it. */
function cell(value: string | number): string {
  if (typeof value === 'number') {
    return String(value);
  }
  const text = cleanText(value, longest);
  const safe = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(text) ? `'${text}` : text;
  return /[",';]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
