import * as l10n from '@vscode/l10n';
import type { Notice } from './sessionHost';

/** Tells the user of a session that another client of its agent has it open, too (T-47). */
export function openElsewhereNotice(agent: string): Notice {
  return {
    sessionUpdate: 'notice',
    severity: 'warning',
    title: l10n.t('Open elsewhere, too'),
    description: l10n.t(
      'Another client of {0} works with this session. Both can write, and neither sees what the other adds before it loads the session again, so the order of turns isn’t known.',
      agent,
    ),
  };
}
