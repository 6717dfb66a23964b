import type { Event } from '../../../util/emitter';

/** What the search index keeps of transcripts. */
export const searchIndexModes = ['off', 'titles', 'text'] as const;
export type SearchIndexMode = (typeof searchIndexModes)[number];

export interface SearchSettings {
  readonly searchIndex: SearchIndexMode;
  readonly onDidChangeSearchIndex: Event<void>;
}
