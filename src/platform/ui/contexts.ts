import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import type { Sessions } from '../../model/session/sessions';
import type { Disposable } from '../../util/disposable';
import { contextKeys } from '../ids';

/** Maintains the context key for the view's welcome text: whether any agent is set up. */
export function setAgentsContext(agents: Agents): Disposable {
  const set = (): void => {
    const count = agents.all.length + agents.problems.length;
    void vscode.commands.executeCommand(
      'setContext',
      contextKeys.agents,
      count === 0 ? 'none' : 'some',
    );
  };
  set();
  return agents.onDidChange(set);
}

/**
 * Maintains the context keys by which the walkthrough detects completed steps, including those done
 * with the mouse.
 */
export function setDoneContexts(sessions: Pick<Sessions, 'onDidChange'>): Disposable {
  const done = new Set<string>();
  const note = (key: string): void => {
    if (!done.has(key)) {
      done.add(key);
      void vscode.commands.executeCommand('setContext', key, true);
    }
  };
  return sessions.onDidChange(({ promptedAt }) => {
    note(contextKeys.hasOpened);
    if (promptedAt > 0) {
      note(contextKeys.hasPrompted);
    }
  });
}
