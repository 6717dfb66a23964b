import * as l10n from '@vscode/l10n';
import { showWarningMessage } from '../../platform/ui/messages';
import type { Disposable } from '../../util/disposable';
import type { SearchIndexProblem } from './model/searchIndex';
import type { SessionIndexer } from './model/sessionIndexer';

/** Describes a problem, its consequence and its remedy to the user. */
export function describeIndexProblem(problem: SearchIndexProblem): string {
  switch (problem) {
    case 'newer':
      return l10n.t(
        'The search index was created by a newer version of ACP Sessions, which this window can’t use. Update ACP Sessions, or clear the index, to search here.',
      );
    case 'readOnly':
      return l10n.t(
        'The search index can’t be written: its disk is full or read-only. It can still be searched. Reload the window when there is space.',
      );
    case 'busy':
      return l10n.t('Another window is writing the search index. Try again in a moment.');
    case 'failed':
      return l10n.t(
        'The search index doesn’t work in this window. The log has the details. Clearing the index makes a new one.',
      );
  }
}

/** Warns the user when sessions are no longer indexed. */
export function showIndexTrouble(indexer: SessionIndexer): Disposable {
  return indexer.onDidFail((problem) => {
    // The other problems matter only when searching, and the search reports them.
    if (problem === 'readOnly') {
      void showWarningMessage(describeIndexProblem(problem));
    }
  });
}
