import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionName, titleAbout } from '../../model/agents/whose';
import { showInformationMessage } from '../../platform/ui/messages';
import { DisposableStore } from '../../util/disposable';
import { plainLabel } from '../../views/plainLabel';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';

interface TurnItem extends vscode.QuickPickItem {
  /** Index of the prompt's entry; `undefined` for the whole session. */
  readonly index?: number;
}

interface TurnQuestion {
  readonly title: string;
  /** The label of the whole session, above the turns; absent if a turn is meant. */
  readonly whole?: string;
}

/**
 * Asks for a turn of a transcript, previewing each while it is highlighted; Escape returns to the initial position.
 * Returns the index of its prompt; `whole` if there is a row for the whole session and it was chosen.
 */
export async function pickTurn(
  panel: TranscriptPanel,
  { title, whole }: TurnQuestion,
): Promise<number | 'whole' | undefined> {
  const turns = panel.outline.allTurns().map(
    ({ index, number, prompt }): TurnItem => ({
      label: `${number}`,
      description: plainLabel(prompt),
      index,
    }),
  );
  const items = [...(whole === undefined ? [] : [{ label: whole }]), ...turns];
  if (items.length === 0) {
    void showInformationMessage(
      l10n.t('{0} has no turns to go to yet.', sessionName(panel.session)),
    );
    return undefined;
  }
  const chosen = await ask(panel, items, title);
  if (chosen?.index === undefined) {
    panel.preview();
  }
  return chosen && (chosen.index ?? 'whole');
}

async function ask(
  panel: TranscriptPanel,
  items: readonly TurnItem[],
  title: string,
): Promise<TurnItem | undefined> {
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<TurnItem>());
  picker.title = titleAbout(title, panel.session.agent);
  picker.placeholder = l10n.t('Type a number or a part of a prompt');
  picker.matchOnDescription = true;
  picker.items = items;
  // VS Code makes the first item active by itself, before the user has chosen anything:
  // https://github.com/microsoft/vscode/issues/159001
  let isFirst = true;
  store.add(
    picker.onDidChangeActive(([item]) => {
      if (item?.index !== undefined && !isFirst) {
        panel.preview(item.index);
      }
      isFirst = false;
    }),
  );
  picker.show();
  try {
    return await new Promise((resolve) => {
      store.add(picker.onDidAccept(() => resolve(picker.activeItems[0])));
      store.add(picker.onDidHide(() => resolve(undefined)));
      store.add(panel.panel.onDidDispose(() => resolve(undefined)));
    });
  } finally {
    store.dispose();
  }
}
