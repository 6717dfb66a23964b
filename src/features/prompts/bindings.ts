import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import { sessionName } from '../../model/agents/whose';
import type { KeyedStorage } from '../../model/ports';
import { StoredMap } from '../../platform/storage/storedState';
import type { SavedTranscript } from '../../shared/transcript/webviewMessages';
import { storedPromptSessions } from './storedPromptSessions';

/** The session that a prompt is written for, with the data to open it again. */
export type BoundSession = SavedTranscript;

/** The name of a prompt's session for messages. Falls back to the agent's ID if it isn't configured. */
export function boundName({ agentId, title }: BoundSession, agents: Pick<Agents, 'get'>): string {
  return sessionName({ title, agent: agents.get(agentId) ?? { title: agentId, isOnly: false } });
}

/**
 * The session that each prompt is written for, by its document. Kept across reloads; the oldest are
 * dropped.
 */
export class PromptBindings implements vscode.Disposable {
  readonly #bound: StoredMap<BoundSession>;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  constructor(state: KeyedStorage) {
    this.#bound = new StoredMap(state, storedPromptSessions);
  }

  get(document: vscode.Uri): BoundSession | undefined {
    return this.#bound.get(document.toString());
  }

  set(document: vscode.Uri, session: BoundSession | undefined): void {
    this.#bound.set(document.toString(), session);
    this.#changed.fire(document);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
