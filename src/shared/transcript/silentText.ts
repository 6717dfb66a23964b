import * as l10n from '@vscode/l10n';
import { language } from '../language';

const timeOfDay = new Intl.DateTimeFormat(language, { timeStyle: 'short' });

/** Says since when an agent at work has said and asked nothing; `since` is in ms since the epoch. */
export function silentText(agentTitle: string, since: number): string {
  return l10n.t('Nothing from {0} since {1}', agentTitle, timeOfDay.format(since));
}
