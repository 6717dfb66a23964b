import { pair, readPair, type StoredMapEntry } from '../../platform/storage/storedState';
import { parseSavedTranscript } from '../../shared/transcript/validators';
import type { SavedTranscript } from '../../shared/transcript/webviewMessages';

/** The sessions that prompts are written for, by the URI of the prompt. */
export const storedPromptSessions: StoredMapEntry<SavedTranscript> = {
  key: 'prompts.sessions',
  scope: 'workspace',
  most: 200,
  read: (entry) => {
    const [uri, saved] = readPair(entry) ?? [];
    const session = parseSavedTranscript(saved);
    return uri !== undefined && session ? [uri, session] : undefined;
  },
  write: pair,
};
