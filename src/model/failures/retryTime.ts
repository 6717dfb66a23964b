/* When a prompt can be sent again, in Codex's English words: other agents tell it as a number, if at all. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const relative =
  /\btry again in (?:(\d{1,3}) days?)?,? ?(?:(\d{1,3}) hours?)?,? ?(?:(\d{1,3}) minutes?)?/i;
const absolute =
  /\btry again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP])M\b/;
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The time that a message names, in ms since the epoch; a time of day is the next one. */
export function findRetryTime(message: string, now: number): number | undefined {
  return findRelative(message, now) ?? findAbsolute(message, now);
}

function findRelative(message: string, now: number): number | undefined {
  const [, days, hours, minutes] = relative.exec(message) ?? [];
  const ms = Number(days ?? 0) * day + Number(hours ?? 0) * hour + Number(minutes ?? 0) * minute;
  return ms > 0 ? now + ms : undefined;
}

function findAbsolute(message: string, now: number): number | undefined {
  const match = absolute.exec(message);
  if (match === null) {
    return undefined;
  }
  const [, month, dayOfMonth, year, hours, minutes, half] = match;
  const time = new Date(now);
  const hourOfDay = (Number(hours) % 12) + (half === 'P' ? 12 : 0);
  if (month !== undefined) {
    const index = months.indexOf(month);
    if (index < 0) {
      return undefined;
    }
    time.setFullYear(Number(year), index, Number(dayOfMonth));
  }
  time.setHours(hourOfDay, Number(minutes), 0, 0);
  if (month === undefined && time.getTime() <= now) {
    time.setDate(time.getDate() + 1);
  }
  return time.getTime() > now ? time.getTime() : undefined;
}
