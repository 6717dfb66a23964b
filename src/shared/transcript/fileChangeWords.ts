import * as l10n from '@vscode/l10n';
import type { FileChange } from './content';

/**
 * What happened to a file, beside its path. `from` is a form of the path where a moved or copied file was; `hasLines`
 * says whether the changed lines are shown, too.
 */
export function fileChangeWords(
  { operation, fileType }: Pick<FileChange, 'operation' | 'fileType'>,
  from: string | undefined,
  hasLines: boolean,
): string {
  switch (operation) {
    case 'add':
      return addedWords(fileType);
    case 'delete':
      return fileType === 'directory' ? l10n.t('Folder deleted') : l10n.t('Deleted');
    case 'move':
      return from === undefined ? l10n.t('Moved') : l10n.t('Moved from {0}', from);
    case 'copy':
      return from === undefined ? l10n.t('Copied') : l10n.t('Copied from {0}', from);
    case 'modify':
      return modifiedWords(fileType, hasLines);
    case 'other':
      return from === undefined
        ? l10n.t('Changed in a way that isn’t known here')
        : l10n.t('Changed in a way that isn’t known here, from {0}', from);
  }
}

function addedWords(fileType: FileChange['fileType']): string {
  switch (fileType) {
    case 'directory':
      return l10n.t('New folder');
    case 'symlink':
      return l10n.t('New link');
    case 'binary':
      return l10n.t('New binary file');
    default:
      return l10n.t('New');
  }
}

function modifiedWords(fileType: FileChange['fileType'], hasLines: boolean): string {
  switch (fileType) {
    case 'binary':
      return l10n.t('Binary file changed');
    case 'directory':
      return l10n.t('Folder changed');
    case 'symlink':
      return l10n.t('Link changed');
    default:
      return hasLines ? l10n.t('Changed') : l10n.t('Changed (no text was sent)');
  }
}
