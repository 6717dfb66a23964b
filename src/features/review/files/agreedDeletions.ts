import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listFirst } from '../../../model/text/listFirst';
import { showWarningMessage } from '../../../platform/ui/messages';
import { filePath } from '../editors/pendingChanges';

/** The files that a question has just named as deleted for good, while what was agreed to is done. */
export class AgreedDeletions {
  readonly #sets = new Set<ReadonlySet<string>>();

  async during<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
    const agreed = new Set(files);
    this.#sets.add(agreed);
    try {
      return await work();
    } finally {
      this.#sets.delete(agreed);
    }
  }

  /** Whether these files may be deleted for good. Asks about those that no question has named. */
  async mayDelete(files: readonly string[]): Promise<boolean> {
    const others = files.filter((file) => ![...this.#sets].some((agreed) => agreed.has(file)));
    return others.length === 0 || mayDeleteForGood(others);
  }
}

/** Files that the question names. */
const maxNamedFiles = 8;

/** Whether the user agrees that these files are deleted, though they can't go to a trash. */
export async function mayDeleteForGood(files: readonly string[]): Promise<boolean> {
  const [first = ''] = files;
  const text =
    files.length === 1
      ? l10n.t('Delete {0} for good?', filePath(first))
      : l10n.t('Delete {0} files for good?', files.length);
  const detail = files.length === 1 ? whyForGood() : `${listed(files)}\n\n${whyForGood()}`;
  const remove = l10n.t('Delete for Good');
  return (await showWarningMessage(text, { modal: true, detail }, remove)) === remove;
}

function listed(files: readonly string[]): string {
  return listFirst(files.map(filePath), maxNamedFiles).join('\n');
}

function whyForGood(): string {
  return vscode.env.remoteName === undefined
    ? l10n.t('There is no trash here, or you have turned it off (files.enableTrash).')
    : l10n.t(
        'VS Code has no trash for the files of this window, which it reaches through a server.',
      );
}
