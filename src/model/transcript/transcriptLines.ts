import { entryUpdates, titleUpdate } from '../../protocol/savedUpdates';
import type { Entry } from '../../shared/transcript/entries';

interface LinesHeader {
  readonly sessionId: string;
  readonly title: string;
  readonly updatedAt?: string;
}

/**
 * A transcript as JSON Lines: `session/update` params, beginning with the title. Entries that yield no update are left
 * out; see `entryUpdates`.
 */
export function* transcriptJsonLines(
  { sessionId, title, updatedAt }: LinesHeader,
  entries: readonly Entry[],
): Generator<string, void> {
  yield `${JSON.stringify(titleUpdate(sessionId, title, updatedAt))}\n`;
  for (const entry of entries) {
    yield entryUpdates(entry, sessionId)
      .map((params) => `${JSON.stringify(params)}\n`)
      .join('');
  }
}
