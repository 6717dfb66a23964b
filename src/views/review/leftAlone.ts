import * as l10n from '@vscode/l10n';
import type { LeftAlone, PendingFile } from '../../model/review/review';

/** Why a decision about many leaves a file as it is, if that is known already. */
export function reasonToStay({
  isOutside,
  form,
  isMixed,
}: Partial<PendingFile>): string | undefined {
  if (isOutside === true) {
    return reasonText({ reason: 'outside' });
  }
  if (form === 'unkept') {
    return reasonText({ reason: 'unkept' });
  }
  return isMixed === true ? reasonText({ reason: 'mixed' }) : undefined;
}

/** Ends with what the user can do. */
export function reasonText({ reason, detail }: Pick<LeftAlone, 'reason' | 'detail'>): string {
  switch (reason) {
    case 'changedSince':
      return l10n.t('it has changed in the meantime. Compare both texts and edit the file.');
    case 'mixed':
      return l10n.t('you have edited the same lines. Decide which text to keep.');
    case 'overlaid':
      return l10n.t('a later turn has changed the same lines. Undo that turn first.');
    case 'unkept':
      return l10n.t('its earlier content wasn’t recorded, so it can’t come back.');
    case 'outside':
      return l10n.t('it is outside of the session’s folders.');
    case 'readOnly':
      return l10n.t('it is read-only. Allow writing to it and try again.');
    case 'dirty':
      return l10n.t('it has unsaved changes. Save or revert them and try again.');
    case 'noTrash':
      return detail === undefined
        ? l10n.t('it can’t go to a trash, and you weren’t asked whether to delete it for good.')
        : l10n.t(
            'it couldn’t go to the trash ({0}). Delete it in the Explorer, which asks you first.',
            detail,
          );
    case 'declined':
      return l10n.t('you have chosen to leave it.');
    case 'failed':
      return l10n.t('it couldn’t be written ({0}).', detail ?? '?');
  }
}
