import type { SessionUpdate } from './updates';
import { normaliseUpdate } from './v1/normaliseUpdate';

/** Transcripts are saved as updates of version 1, which every reader knows, whichever version the agent speaks. */
export { entryUpdates, titleUpdate } from './v1/entryUpdates';

/** Reads a saved update, as strictly as one of an agent; `undefined` if it can't be used. */
export function readSavedUpdate(update: unknown): SessionUpdate | undefined {
  const read = normaliseUpdate({ sessionId: '', update });
  return typeof read === 'string' ? undefined : read.update;
}
