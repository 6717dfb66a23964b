import type * as vscode from 'vscode';
import { sessionKey } from '../../../model/list/sessionInfo';
import { parseSavedTranscript } from '../../../shared/transcript/validators';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';

const stateKey = 'transcripts.opened';
/** VS Code remembers about as many editors. */
const mostKept = 200;

/**
 * The sessions that were opened in this workspace, with the data to open them again before their agent has
 * answered: after a reload, and from VS Code's editor history. The oldest are dropped.
 */
export class OpenedSessions {
  readonly #state: vscode.Memento;
  readonly #sessions: Map<string, SavedTranscript>;

  constructor(state: vscode.Memento) {
    this.#state = state;
    const kept = state.get<unknown>(stateKey);
    const sessions = (Array.isArray(kept) ? kept : []).flatMap(
      (value: unknown) => parseSavedTranscript(value) ?? [],
    );
    this.#sessions = new Map(sessions.map((session) => [keyOf(session), session]));
  }

  get(agentId: string, sessionId: string): SavedTranscript | undefined {
    return this.#sessions.get(sessionKey(agentId, sessionId));
  }

  /** Call when the session is opened, or has a new title. */
  add(session: SavedTranscript): void {
    const key = keyOf(session);
    if (isSame(this.#sessions.get(key), session)) {
      return;
    }
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostKept && oldest !== undefined) {
      this.#sessions.delete(oldest);
    }
    void this.#state.update(stateKey, [...this.#sessions.values()]);
  }
}

function keyOf({ agentId, sessionId }: SavedTranscript): string {
  return sessionKey(agentId, sessionId);
}

function isSame(before: SavedTranscript | undefined, now: SavedTranscript): boolean {
  return (
    before?.title === now.title &&
    before.cwd === now.cwd &&
    before.additionalDirectories.join('\0') === now.additionalDirectories.join('\0')
  );
}
