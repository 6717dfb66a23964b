import * as l10n from '@vscode/l10n';
import type { Notice } from './sessionHost';

/** What it means for a session that another client of its agent has it open, too (T-47). */
export function openElsewhereWords(agent: string): string {
  return l10n.t(
    'Another client of {0} works with it. Both can write, and neither sees what the other adds before it reloads, so the order of turns isn’t known.',
    agent,
  );
}

/** Tells the user of such a session when it is opened, or becomes one. */
export function openElsewhereNotice(agent: string): Notice {
  return {
    sessionUpdate: 'notice',
    severity: 'warning',
    title: l10n.t('Open elsewhere, too'),
    description: openElsewhereWords(agent),
  };
}
