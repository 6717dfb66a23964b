import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../model/ports';
import type { StoredData, StoredKind } from '../../platform/storage/storedData';
import { showErrorMessage, showWarningMessage } from '../../platform/ui/messages';
import { byteSize } from '../../shared/byteSize';
import { getStack } from '../../util/getStack';

export interface StoredDataServices {
  readonly storedData: Pick<StoredData, 'all'>;
  readonly log: { component(name: string): Log };
}

interface KindItem extends vscode.QuickPickItem {
  readonly stored: StoredKind;
}

/**
 * "Clear Stored Data…": deletes what the user checks in a list with sizes, after a confirmation. An argument that is the
 * ID of a kind asks for that one alone.
 */
export async function clearStoredData(
  { storedData, log }: StoredDataServices,
  argument: unknown,
): Promise<void> {
  const named = storedData.all.filter(({ id }) => id === argument);
  const chosen = named.length > 0 ? named : await choose(storedData.all);
  if (chosen.length === 0 || !(await confirm(chosen))) {
    return;
  }
  const done = await Promise.allSettled(chosen.map(async (kind) => kind.clear()));
  const failed = chosen.filter((kind, at) => {
    const result = done[at];
    if (result?.status === 'rejected') {
      log.component('storage').warn(`${kind.id} can’t be cleared: ${getStack(result.reason)}`);
    }
    return result?.status === 'rejected';
  });
  if (failed.length > 0) {
    void showErrorMessage(
      l10n.t('Not all of it could be deleted: {0}. The log has the details.', labels(failed)),
    );
  } else {
    vscode.window.setStatusBarMessage(l10n.t('Cleared: {0}', labels(chosen)), 3000);
  }
}

async function choose(kinds: readonly StoredKind[]): Promise<readonly StoredKind[]> {
  const items = Promise.all(
    kinds.map(async (stored): Promise<KindItem> => {
      const size = await stored.size();
      const { label, detail } = stored;
      return { label, detail, stored, ...(size !== undefined && { description: byteSize(size) }) };
    }),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Clear Stored Data'),
    placeHolder: l10n.t('Check what is to be deleted from this machine'),
    canPickMany: true,
  });
  return picked?.map(({ stored }) => stored) ?? [];
}

async function confirm(kinds: readonly StoredKind[]): Promise<boolean> {
  const clear = l10n.t('Clear');
  const [first] = kinds;
  const isOne = kinds.length === 1 && first !== undefined;
  const detail = isOne ? first.detail : kinds.map(({ label }) => label).join('\n');
  const answer = await showWarningMessage(
    isOne ? l10n.t('Clear “{0}”?', first.label) : l10n.t('Clear all of this?'),
    {
      modal: true,
      detail: `${detail}\n\n${l10n.t('It can’t be restored.')}`,
    },
    clear,
  );
  return answer === clear;
}

function labels(kinds: readonly StoredKind[]): string {
  return kinds.map(({ label }) => label).join(', ');
}
