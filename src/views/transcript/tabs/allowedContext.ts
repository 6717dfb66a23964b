import * as vscode from 'vscode';
import type { Sessions } from '../../../model/session/sessions';
import { contextKeys } from '../../../platform/ids';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import type { TranscriptPanels } from './panels';

/** Maintains the context key for revoking permissions of the session in the active tab. */
export function setAllowedContext(
  sessions: Pick<Sessions, 'find' | 'onDidChange'>,
  panels: Pick<TranscriptPanels, 'active' | 'onDidChangeActive'>,
): Disposable {
  const store = new DisposableStore();
  let shown: boolean | undefined;
  const set = (): void => {
    const active = panels.active?.session;
    const session = active && sessions.find(active.agent.id, active.info.sessionId);
    const allowed = session?.acts.hasLasting === true;
    if (allowed !== shown) {
      shown = allowed;
      void vscode.commands.executeCommand('setContext', contextKeys.allowed, allowed);
    }
  };
  store.add(sessions.onDidChange(set));
  store.add(panels.onDidChangeActive(set));
  set();
  return store;
}
