import * as l10n from '@vscode/l10n';
import { cleanText } from '../../../model/text/titles';
import type { LeftChange, LeftReason } from '../model/worktreeChanges';

/** Files that are named in a message. */
const maxNamedFiles = 5;

/** The first of these files, and how many more there are. */
export function getList(files: readonly { readonly name: string }[]): string {
  const shown = files.slice(0, maxNamedFiles).map(({ name }) => cleanText(name, 100));
  const rest = files.length - shown.length;
  return [...shown, ...(rest > 0 ? [l10n.t('and {0} more', rest)] : [])].join(', ');
}

/** The sentences about what was left, each after a space. */
export function leftText(left: readonly LeftChange[]): string {
  return leftSentences(left)
    .map((sentence) => ` ${sentence}`)
    .join('');
}

/** A sentence for each reason why something was left. */
export function leftSentences(left: readonly LeftChange[]): readonly string[] {
  const reasons = [...new Set(left.map(({ reason }) => reason))];
  return reasons.map((reason) =>
    leftSentence(reason, getList(left.filter((change) => change.reason === reason))),
  );
}

function leftSentence(reason: LeftReason, names: string): string {
  switch (reason) {
    case 'deletedHere':
      return l10n.t('Changed there, but deleted in the workspace: {0}.', names);
    case 'deletedThere':
      return l10n.t('Deleted there, but changed in the workspace: {0}.', names);
    case 'binary':
      return l10n.t('Changed on both sides, and not texts that could be merged: {0}.', names);
    case 'submodule':
      return l10n.t('Submodules and repositories inside of this one aren’t applied: {0}.', names);
    case 'link':
      return l10n.t('Links, and what isn’t a file, aren’t applied: {0}.', names);
    case 'unmerged':
      return l10n.t('With conflicts there that have to be resolved first: {0}.', names);
    case 'tooLarge':
      return l10n.t('Too large: {0}.', names);
    case 'name':
      return l10n.t('With names that can’t be used here: {0}.', names);
    case 'elsewhere':
      return l10n.t('Outside of the folders of this window: {0}.', names);
    case 'changedSince':
      return l10n.t('Changed since the preview, and left alone: {0}.', names);
    case 'readOnly':
      return l10n.t('Read-only: {0}.', names);
    case 'dirty':
      return l10n.t('With unsaved changes in an editor: {0}.', names);
    case 'staged':
      return l10n.t('Staged, and have to be unstaged first: {0}.', names);
    case 'noTrash':
      return l10n.t('Couldn’t go to the trash, and weren’t deleted: {0}.', names);
    case 'declined':
      return l10n.t('Not deleted, as you chose: {0}.', names);
    case 'unreadable':
    case 'failed':
      return l10n.t('Couldn’t be read or written: {0}.', names);
  }
}
