import * as vscode from 'vscode';
import type { Agents } from '../model/agents/agents';
import { sessionName } from '../model/agents/whose';
import { parseSavedTranscript } from '../shared/transcript/validators';
import type { SavedTranscript } from '../shared/transcript/webviewMessages';

/** The session that a prompt is written for, with the data to open it again. */
export type BoundSession = SavedTranscript;

/** The name of a prompt's session for messages. Falls back to the agent's ID if it isn't configured. */
export function boundName({ agentId, title }: BoundSession, agents: Pick<Agents, 'get'>): string {
  return sessionName({ title, agent: agents.get(agentId) ?? { title: agentId, isOnly: false } });
}

const stateKey = 'prompts.sessions';
const mostKept = 200;

/**
 * The session that each prompt is written for, by its document. Kept across reloads; the oldest are
 * dropped.
 */
export class PromptBindings implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #bound: Map<string, BoundSession>;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#bound = new Map(readKept(state.get(stateKey)));
  }

  get(document: vscode.Uri): BoundSession | undefined {
    return this.#bound.get(document.toString());
  }

  set(document: vscode.Uri, session: BoundSession | undefined): void {
    const key = document.toString();
    this.#bound.delete(key);
    if (session !== undefined) {
      this.#bound.set(key, session);
    }
    void this.#state.update(stateKey, [...this.#bound].slice(-mostKept));
    this.#changed.fire(document);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function readKept(value: unknown): readonly [string, BoundSession][] {
  return (Array.isArray(value) ? value : []).flatMap((pair: unknown): [string, BoundSession][] => {
    const [key, saved] = Array.isArray(pair) ? (pair as unknown[]) : [];
    const session = parseSavedTranscript(saved);
    return typeof key === 'string' && session ? [[key, session]] : [];
  });
}
