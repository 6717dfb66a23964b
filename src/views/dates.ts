import * as l10n from '@vscode/l10n';
import { language } from '../shared/language';

/** Dates in words. Times are in ms since the epoch, shown in the user's time zone. */

const minute = 60_000;
const hour = 60 * minute;

// Creating a formatter costs more than using it a thousand times.
const relative = new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: 'auto' });
const dayAndMonth = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
const dayMonthYear = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
const dayMinute = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' });

/** A short relative time: "now", "5m ago", "3h ago", "yesterday", "4d ago", then the date. */
export function relativeTime(time: number, now: number): string {
  const ago = now - time;
  // Clocks differ, and agents err: a time in the future counts as now.
  if (ago < minute) {
    return l10n.t('now');
  }
  if (ago < hour) {
    return relative.format(-Math.floor(ago / minute), 'minute');
  }
  const days = calendarDays(time, now);
  if (days === 0 || ago < 6 * hour) {
    return relative.format(-Math.floor(ago / hour), 'hour');
  }
  return days <= 7 ? relative.format(-days, 'day') : shortDate(time, now);
}

const inUnit = (unit: string): Intl.NumberFormat =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow' });
const units = { minutes: inUnit('minute'), hours: inUnit('hour'), days: inUnit('day') };

/** The shortest relative time: "now", "5m", "3h", "1d", then the date. */
export function briefTime(time: number, now: number): string {
  const ago = now - time;
  if (ago < minute) {
    return l10n.t('now');
  }
  if (ago < hour) {
    return units.minutes.format(Math.floor(ago / minute));
  }
  const days = calendarDays(time, now);
  if (days === 0 || ago < 6 * hour) {
    return units.hours.format(Math.floor(ago / hour));
  }
  return days <= 7 ? units.days.format(days) : shortDate(time, now);
}

/** The day and the minute, as short as that is without doubt in a list of the last months. */
export function dayAndTime(time: number): string {
  return dayMinute.format(time);
}

export function exactTime(time: number): string {
  return exact.format(time);
}

function shortDate(time: number, now: number): string {
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayAndMonth : dayMonthYear).format(time);
}

/** The number of midnights between two times; a day of 23 or 25 hours counts as one. */
function calendarDays(from: number, to: number): number {
  const start = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((start(to) - start(from)) / (24 * hour));
}

export interface DateGroup {
  /** Stable: `today`, `yesterday`, `week`, a month as `2026-03`, or `undated`. */
  readonly key: string;
  readonly label: string;
}

/** The group of the tree for a session with this time. */
export function dateGroup(time: number | undefined, now: number): DateGroup {
  if (time === undefined) {
    return { key: 'undated', label: l10n.t('No date') };
  }
  const days = calendarDays(time, now);
  if (days <= 0) {
    return { key: 'today', label: l10n.t('Today') };
  }
  if (days === 1) {
    return { key: 'yesterday', label: l10n.t('Yesterday') };
  }
  if (days <= 7) {
    return { key: 'week', label: l10n.t('Last 7 days') };
  }
  const date = new Date(time);
  return {
    key: `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`,
    label: month.format(date),
  };
}
