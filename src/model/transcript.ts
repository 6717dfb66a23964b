import type { SessionUpdate } from '../protocol/updates';
import type { Entry, TranscriptChange } from '../shared/entries';
import { Emitter } from '../util/emitter';
import { EntryList } from './entryList';
import { reduce } from './reduce';

/** The history of one session: entries in the order in which things happened. */
export class Transcript {
  readonly #list = new EntryList();
  readonly #changed = new Emitter<TranscriptChange>();
  /** One change per update, while it is applied. */
  readonly onDidChange = this.#changed.event;
  #updates = 0;

  /** A live view: entries are replaced in it and added at its end. */
  get entries(): readonly Entry[] {
    return this.#list.all;
  }

  /** Updates received since the last reset, those that are no history included. */
  get updates(): number {
    return this.#updates;
  }

  apply(update: SessionUpdate): void {
    this.#updates++;
    const change = reduce(this.#list, update);
    if (change !== undefined) {
      this.#changed.fire(change);
    }
  }

  /** Forgets everything: a replay follows (T-10). */
  reset(): void {
    this.#list.clear();
    this.#updates = 0;
    this.#changed.fire({ type: 'reset' });
  }

  /** Marks what will never finish: the replay has ended, or the agent is gone (T-16). */
  settle(): void {
    for (const index of this.#list.toolCalls.values()) {
      const entry = this.#list.at(index);
      if (entry?.kind === 'toolCall' && isUnfinished(entry.status)) {
        this.#replace(index, { ...entry, status: 'interrupted' });
      }
    }
    for (const index of this.#list.compactions.values()) {
      const entry = this.#list.at(index);
      if (entry?.kind === 'compaction' && isUnfinished(entry.status)) {
        this.#replace(index, { ...entry, status: 'interrupted' });
      }
    }
  }

  #replace(index: number, entry: Entry): void {
    this.#list.replace(index, entry);
    this.#changed.fire({ type: 'updated', index });
  }
}

function isUnfinished(status: string): boolean {
  return status === 'pending' || status === 'in_progress';
}
