/** A calendar date, with or without a time: what `Date.parse` takes beyond this is guesswork ("Page 5" is a date to it). */
const isoDate = /^[+-]?\d{4,6}-\d{2}-\d{2}/;

/**
 * An agent's `updatedAt` in ms since the epoch; `undefined` when it is absent or no date (LIST-15,
 * T-7). Not clamped: a time that lies ahead is the view's to word.
 */
export function timestampOf(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 64 || !isoDate.test(text)) {
    return undefined;
  }
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
