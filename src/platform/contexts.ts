import * as vscode from 'vscode';
import type { Agents } from '../model/agents';
import type { Disposable } from '../util/disposable';
import { contextKeys } from './ids';

/** Keeps the context key that tells the view's welcome text whether any agent is set up. */
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
