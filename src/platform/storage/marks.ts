import * as vscode from 'vscode';
import { marksKey, SessionMarks } from '../../model/marks/marks';
import type { Log } from '../../model/ports';
import { DisposableStore } from '../../util/disposable';

/**
 * The marks of all windows, in the extension's global state; changes of other windows are merged
 * when this one gets focus.
 */
export function sessionMarks(context: vscode.ExtensionContext, log: Log): SessionMarks {
  const { globalState } = context;
  const store = new DisposableStore();
  globalState.setKeysForSync([marksKey]);
  const marks = store.add(new SessionMarks(globalState, log));
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        marks.refresh().catch((error: unknown) => log.warn(`marks: ${String(error)}`));
      }
    }),
  );
  context.subscriptions.push(store);
  return marks;
}
