/**
 * A calendar date, with or without a time: for other texts `Date.parse` guesses ("Page 5" is a date
 * to it).
 */
const isoDate = /^[+-]?\d{4,6}-\d{2}-\d{2}/;

/**
 * An agent's `updatedAt` in ms since the epoch; `undefined` if it is absent or not a date (LIST-15,
 * T-7). Not clamped: the view decides how to display a time in the future.
 */
export function findTimestamp(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 64 || !isoDate.test(text)) {
    return undefined;
  }
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
