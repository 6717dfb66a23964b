import * as l10n from '@vscode/l10n';
import { language } from '../language';

/** The time or the models that a limit is for. */
export type LimitWindow = 'fiveHours' | 'week' | 'weekOpus' | 'weekSonnet' | 'extra';

/** A limit of the account's usage, in the agent's words (US-6). */
export interface UsageLimit {
  /** `passed`: reached, but the account has paid for more. */
  readonly status: 'near' | 'reached' | 'passed';
  /** Absent if the agent doesn't say, or says something else. */
  readonly window?: LimitWindow;
  /** In ms since the epoch. */
  readonly resetsAt?: number;
}

const names: Readonly<Record<LimitWindow, string>> = {
  fiveHours: l10n.t('5-hour limit'),
  week: l10n.t('Weekly limit'),
  weekOpus: l10n.t('Weekly limit of Opus'),
  weekSonnet: l10n.t('Weekly limit of Sonnet'),
  extra: l10n.t('Limit of extra usage'),
};

const timeOfDay = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
const dateAndTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

/** `3:40 PM`, with the date unless it is the day of `now`. */
function resetTimeText(time: number, now: number): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return (isToday ? timeOfDay : dateAndTime).format(time);
}

/** `5-hour limit reached, resets 3:40 PM` */
export function limitText({ status, window, resetsAt }: UsageLimit, now: number): string {
  const name = window === undefined ? l10n.t('Usage limit') : names[window];
  const state = {
    near: l10n.t('{0} nearly reached', name),
    reached: l10n.t('{0} reached', name),
    passed: l10n.t('{0} reached, extra usage is being used', name),
  }[status];
  return resetsAt === undefined
    ? state
    : l10n.t('{0}, resets {1}', state, resetTimeText(resetsAt, now));
}
