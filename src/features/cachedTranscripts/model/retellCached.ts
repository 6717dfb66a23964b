import { Transcript } from '../../../model/transcript/transcript';
import type { NotedTurn } from '../../../model/transcript/turnNotes/notedTurn';
import { isPromptEntry } from '../../../model/transcript/turnNotes/noteTurns';
import { Retelling } from '../../../model/transcript/turnNotes/retelling';
import type { Entry } from '../../../shared/transcript/entries';

/** A longer transcript is left to the agent's replay: what is cached is shown at once, in one task. */
const maxEntries = 20_000;

/** The entries of a whole cached transcript, with what is known of its turns besides. */
export function retellCached(
  cached: readonly Entry[],
  notes: readonly NotedTurn[],
  nextRequestId: () => number,
): readonly Entry[] {
  if (notes.length === 0 || cached.length > maxEntries) {
    return cached;
  }
  const transcript = new Transcript();
  const retelling = new Retelling(transcript, notes, nextRequestId);
  /** The place of each cached entry now. */
  const places: number[] = [];
  for (const [index, entry] of cached.entries()) {
    const isFirst = isPromptEntry(entry) && !isPromptEntry(cached[index - 1]);
    if (isFirst) {
      retelling.end();
    }
    const call = entry.kind === 'subagent' && entry.call !== undefined && places[entry.call];
    places.push(transcript.add(call === false ? entry : ({ ...entry, call } as Entry)));
    retelling.after();
  }
  retelling.end();
  return transcript.entries;
}
