import * as l10n from '@vscode/l10n';
import { folderSize } from '../../model/files/folderSize';
import type { StoredKind } from '../../platform/storage/storedData';
import type { ListMemory } from './model/listMemory';
import type { TranscriptCache } from './model/transcriptCache';

/** The cached transcripts of all windows, in their folder. */
export function storedTranscripts(
  folder: string,
  cache: Pick<TranscriptCache, 'clear'>,
  memory: Pick<ListMemory, 'keepConfigured'>,
): StoredKind {
  return {
    id: 'transcripts',
    label: l10n.t('Cached transcripts'),
    detail: l10n.t('Of sessions that you opened. Their agents still have the sessions.'),
    size: () => folderSize(folder),
    clear: async () => {
      await cache.clear();
      // Of agents that aren't configured any more, nothing can be read then.
      memory.keepConfigured();
    },
  };
}

/** The lists that the view begins with. */
export function storedLists(memory: Pick<ListMemory, 'clear'>): StoredKind {
  return {
    id: 'lists',
    label: l10n.t('Remembered lists'),
    detail: l10n.t('The sessions that this workspace shows before their agents have listed them.'),
    size: () => Promise.resolve(undefined),
    clear: () => {
      memory.clear();
      return Promise.resolve();
    },
  };
}
