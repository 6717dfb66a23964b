import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import type { Sessions } from '../../model/session/sessions';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { contextKeys } from '../ids';

type ContextKey = `acpSessions.${string}`;
type AnyEvent = (listener: () => void) => Disposable;

/** Keeps context keys at what `read` returns, now and after each of the events. Only changes are sent to VS Code. */
export function keepContexts(
  read: () => Readonly<Record<ContextKey, unknown>>,
  events: readonly AnyEvent[],
): Disposable {
  const store = new DisposableStore();
  const sent = new Map<string, unknown>();
  const send = (): void => {
    for (const [key, value] of Object.entries(read())) {
      if (sent.get(key) !== value) {
        sent.set(key, value);
        void vscode.commands.executeCommand('setContext', key, value);
      }
    }
  };
  for (const event of events) {
    store.add(event(send));
  }
  send();
  return store;
}

/** Maintains the context key for the view's welcome text and title: how many agents are set up. */
export function setAgentsContext(agents: Agents): Disposable {
  return keepContexts(() => {
    const count = agents.all.length + agents.problems.length;
    return { [contextKeys.agents]: count === 0 ? 'none' : count === 1 ? 'one' : 'several' };
  }, [agents.onDidChange]);
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
  return sessions.onDidChange(({ turns }) => {
    note(contextKeys.hasOpened);
    if (turns.promptedAt > 0) {
      note(contextKeys.hasPrompted);
    }
  });
}
