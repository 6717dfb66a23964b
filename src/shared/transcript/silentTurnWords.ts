import * as l10n from '@vscode/l10n';

/** What is said of a turn that ended normally and without an answer. */
export function silentTurnWords(agentTitle: string): string {
  return l10n.t('{0} ended the turn without an answer', agentTitle);
}
