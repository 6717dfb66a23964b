import { getKey } from '../../../model/list/sessionInfo';
import type { KeyedStorage } from '../../../model/ports';
import { StoredMap, storedState } from '../../../platform/storage/storedState';
import type { SessionRef } from '../../../shared/sessionRef';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';

/**
 * The sessions that were opened in this workspace, with the data to open them again before their agent has
 * answered: after a reload, and from VS Code's editor history. The oldest are dropped.
 */
export class OpenedSessions {
  readonly #sessions: StoredMap<SavedTranscript>;

  constructor(state: KeyedStorage) {
    this.#sessions = new StoredMap(state, storedState.openedSessions);
  }

  get(session: SessionRef): SavedTranscript | undefined {
    return this.#sessions.get(getKey(session));
  }

  get all(): readonly SavedTranscript[] {
    return this.#sessions.values;
  }

  /** Call when the session is opened, or has a new title. */
  add(session: SavedTranscript): void {
    const key = getKey(session);
    if (!isSame(this.#sessions.get(key), session)) {
      this.#sessions.set(key, session);
    }
  }
}

function isSame(before: SavedTranscript | undefined, now: SavedTranscript): boolean {
  return (
    before?.title === now.title &&
    before.cwd === now.cwd &&
    before.additionalDirectories.join('\0') === now.additionalDirectories.join('\0')
  );
}
