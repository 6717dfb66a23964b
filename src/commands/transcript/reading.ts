import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionName, titleAbout } from '../../model/agents/whose';
import { commandIds } from '../../platform/ids';
import { showInformationMessage } from '../../platform/ui/messages';
import { DisposableStore } from '../../util/disposable';
import { isObject } from '../../util/json';
import { plainLabel } from '../../views/plainLabel';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { CommandTable } from '../run';

/** Navigating, folding and copying in a transcript; all for the active tab. */
export function readingCommands(panels: TranscriptPanels) {
  return {
    [commandIds.goToTurn]: () => goToTurn(panels.active),
    [commandIds.nextTurn]: () => panels.active?.go('turn', 'next'),
    [commandIds.previousTurn]: () => panels.active?.go('turn', 'previous'),
    [commandIds.nextToolCall]: () => panels.active?.go('toolCall', 'next'),
    [commandIds.previousToolCall]: () => panels.active?.go('toolCall', 'previous'),
    [commandIds.nextChange]: () => panels.active?.go('diff', 'next'),
    [commandIds.previousChange]: () => panels.active?.go('diff', 'previous'),
    [commandIds.nextError]: () => panels.active?.go('error', 'next'),
    [commandIds.previousError]: () => panels.active?.go('error', 'previous'),
    [commandIds.foldAll]: () => panels.active?.fold('all', false),
    [commandIds.unfoldAll]: () => panels.active?.fold('all', true),
    [commandIds.foldThoughts]: () => panels.active?.fold('thought', false),
    [commandIds.unfoldThoughts]: () => panels.active?.fold('thought', true),
    [commandIds.foldToolCalls]: () => panels.active?.fold('tool', false),
    [commandIds.unfoldToolCalls]: () => panels.active?.fold('tool', true),
    [commandIds.copyEntry]: (argument) =>
      panels.active?.copy('entry', entryOf(argument), entryOf(argument, 'last')),
    [commandIds.copyTurn]: (argument) => panels.active?.copy('turn', entryOf(argument)),
    [commandIds.copyCode]: () => panels.active?.copy('code'),
    [commandIds.restoreBeforeTurn]: (argument) => restoreBeforeTurn(panels.active, argument),
  } satisfies Partial<CommandTable>;
}

/** The entry on which a context menu was opened, or the last of the entries that its row combines. */
function entryOf(argument: unknown, which: 'entry' | 'last' = 'entry'): number | undefined {
  const entry = isObject(argument) ? argument[which] : undefined;
  return typeof entry === 'number' && Number.isInteger(entry) && entry >= 0 ? entry : undefined;
}

/** From the context menu of a prompt. */
async function restoreBeforeTurn(
  panel: TranscriptPanel | undefined,
  argument: unknown,
): Promise<void> {
  const index = entryOf(argument);
  if (index !== undefined) {
    await panel?.restoreBefore(index);
  }
}

interface TurnItem extends vscode.QuickPickItem {
  readonly index: number;
}

/** "Go to Turn…": previews each turn while it is highlighted; Escape returns to the initial position. */
async function goToTurn(panel: TranscriptPanel | undefined): Promise<void> {
  if (panel === undefined) {
    return;
  }
  const items = panel.outline.allTurns().map(
    ({ index, number, prompt }): TurnItem => ({
      label: `${number}`,
      description: plainLabel(prompt),
      index,
    }),
  );
  if (items.length === 0) {
    void showInformationMessage(
      l10n.t('{0} has no turns to go to yet.', sessionName(panel.session)),
    );
    return;
  }
  const index = await pickTurn(panel, items);
  if (index === undefined) {
    panel.preview();
  } else {
    panel.reveal(index);
  }
}

async function pickTurn(
  panel: TranscriptPanel,
  items: readonly TurnItem[],
): Promise<number | undefined> {
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<TurnItem>());
  picker.title = titleAbout(l10n.t('Go to Turn'), panel.session.agent);
  picker.placeholder = l10n.t('Type a number or a part of a prompt');
  picker.matchOnDescription = true;
  picker.items = items;
  // VS Code makes the first item active by itself, before the user has chosen anything:
  // https://github.com/microsoft/vscode/issues/159001
  let isFirst = true;
  store.add(
    picker.onDidChangeActive(([item]) => {
      if (item !== undefined && !isFirst) {
        panel.preview(item.index);
      }
      isFirst = false;
    }),
  );
  picker.show();
  try {
    return await new Promise((resolve) => {
      store.add(picker.onDidAccept(() => resolve(picker.activeItems[0]?.index)));
      store.add(picker.onDidHide(() => resolve(undefined)));
      store.add(panel.panel.onDidDispose(() => resolve(undefined)));
    });
  } finally {
    store.dispose();
  }
}
