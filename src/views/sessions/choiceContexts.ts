import * as vscode from 'vscode';
import { contextKeys } from '../../platform/ids';
import type { Disposable } from '../../util/disposable';
import type { SessionChoices } from './nodes/choices';

/** Maintains the context keys that the view's menus read. */
export function setChoiceContexts(choices: SessionChoices): Disposable {
  const set = (): void => {
    const values = {
      [contextKeys.filtered]: choices.isFiltered,
      [contextKeys.showsHidden]: choices.showsHidden,
      [contextKeys.grouping]: choices.grouping,
      [contextKeys.scope]: choices.scope,
      [contextKeys.sorting]: choices.sorting,
    };
    for (const [key, value] of Object.entries(values)) {
      void vscode.commands.executeCommand('setContext', key, value);
    }
  };
  set();
  return choices.onDidChange(set);
}
