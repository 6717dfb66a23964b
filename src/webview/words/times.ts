import * as l10n from '@vscode/l10n';
import { language } from '../../shared/language';
import { formatNumber } from './format';

/* Times in words. Inputs are milliseconds since the epoch; they are shown in the user's time zone. */

const second = 1000;

// Creating a formatter costs more than a thousand uses of it.
const timeOfDay = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
const dateAndTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' });

/** The time of day, with the date unless it is the day of `now`. */
export function timeText(time: number, now: number): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return (isToday ? timeOfDay : dateAndTime).format(time);
}

/** The full date with the time to the second. */
export function exactTime(time: number): string {
  return exact.format(time);
}

/** The largest unit alone: `12 s`, `3 min`, `2 h`, `4 d`. */
export function shortDurationText(ms: number): string {
  const minutes = Math.floor(ms / second / 60);
  if (minutes < 1) {
    return durationText(ms);
  }
  if (minutes < 60) {
    return l10n.t('{0} min', formatNumber(minutes));
  }
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? l10n.t('{0} h', formatNumber(hours))
    : l10n.t('{0} d', formatNumber(Math.floor(hours / 24)));
}

/** `12 s`, `3 min 5 s`, `1 h 20 min`; a duration below one second is `less than 1 s`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / second);
  if (seconds < 1) {
    return l10n.t('less than 1 s');
  }
  if (seconds < 60) {
    return l10n.t('{0} s', formatNumber(seconds));
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? l10n.t('{0} min {1} s', formatNumber(minutes), formatNumber(seconds % 60))
    : l10n.t('{0} h {1} min', formatNumber(Math.floor(minutes / 60)), formatNumber(minutes % 60));
}
