import * as l10n from '@vscode/l10n';

/** "1 file", "3 files", for use in a sentence. */
export function fileCount(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
}
