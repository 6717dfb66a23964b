import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import type { Workspace } from '../../model/ports';
import { acceptedRow, createRankedPick } from '../../platform/ui/rankedPick';
import { DisposableStore } from '../../util/disposable';
import { searchCommandIds } from './commandIds';
import { hitItem } from './hitItems';
import { describeIndexProblem } from './indexTrouble';
import { type SearchHit, type SearchIndex, SearchIndexError } from './model/searchIndex';

export interface SearchPickerServices {
  readonly agents: Agents;
  readonly workspace: Workspace;
  readonly index: SearchIndex;
}

export interface PickedHit {
  readonly hit: SearchHit;
  /** The search text. */
  readonly text: string;
}

interface Item extends vscode.QuickPickItem {
  readonly hit?: SearchHit;
  readonly command?: string;
}

const indexMore: Item = {
  label: `$(database) ${l10n.t('Index All Sessions of This Folder')}`,
  detail: l10n.t('Only conversations that were opened here, or indexed, can be searched'),
  alwaysShow: true,
  command: searchCommandIds.indexFolder,
};

/** Searches conversations as the user types. */
export async function pickHit(services: SearchPickerServices): Promise<PickedHit | undefined> {
  const store = new DisposableStore();
  const picker = store.add(createRankedPick<Item>());
  picker.title = l10n.t('Search in Conversations');
  picker.placeholder = l10n.t('Words in messages or changes; "quotes" for an exact phrase');
  let searches = 0;
  const search = async (text: string): Promise<void> => {
    const own = ++searches;
    picker.busy = true;
    const items = await itemsFor(services, text);
    // A later search supplies its own rows.
    if (own === searches && !store.disposed) {
      picker.items = items;
      picker.busy = false;
    }
  };
  store.add(picker.onDidChangeValue((text) => void search(text)));
  const chosen = new Promise<Item | undefined>((resolve) => {
    store.add(
      picker.onDidAccept(() => {
        const item = acceptedRow(picker);
        if (item !== undefined) {
          resolve(item);
        }
      }),
    );
    store.add(picker.onDidHide(() => resolve(undefined)));
  });
  picker.show();
  try {
    const item = await chosen;
    if (item?.command !== undefined) {
      void vscode.commands.executeCommand(item.command);
    }
    return item?.hit && { hit: item.hit, text: picker.value };
  } finally {
    store.dispose();
  }
}

async function itemsFor(services: SearchPickerServices, text: string): Promise<readonly Item[]> {
  if (text.trim() === '') {
    return [];
  }
  try {
    const hits = await services.index.search(text);
    const nothing: Item = { label: l10n.t('Nothing found'), alwaysShow: true };
    return hits.length === 0 ? [nothing, indexMore] : hits.map((hit) => hitItem(hit, services));
  } catch (error) {
    const problem = error instanceof SearchIndexError ? error.problem : 'failed';
    return [
      {
        label: `$(error) ${l10n.t('Can’t search')}`,
        detail: describeIndexProblem(problem),
        alwaysShow: true,
      },
    ];
  }
}
