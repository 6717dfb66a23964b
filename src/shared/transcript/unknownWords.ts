import * as l10n from '@vscode/l10n';
import type { UnknownEntry } from './entries';

/** The line about something that isn't known here. */
export function unknownWords({ what, name, count }: UnknownEntry): string {
  const line =
    what === 'update'
      ? l10n.t('The agent sent an update of an unknown kind: {0}', name)
      : l10n.t('The agent asked for something unknown, and was told so: {0}', name);
  return count === 1 ? line : l10n.t('{0} ({1} times)', line, count);
}
