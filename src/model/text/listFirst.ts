import * as l10n from '@vscode/l10n';

/** At most so many of these, and how many more there are. */
export function listFirst(all: readonly string[], most: number): readonly string[] {
  const more = all.length - most;
  return more > 0 ? [...all.slice(0, most), l10n.t('and {0} more', more)] : all;
}
