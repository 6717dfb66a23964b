import type { SessionRef } from '../../../shared/sessionRef';

/**
 * The interface of the full-text index of the sessions seen on this machine; `platform` implements
 * it.
 */

/** A session in the index, with what is needed to list it and to open it. */
export interface IndexedSession extends SessionRef {
  /** The title: one clean line, never empty. */
  readonly title: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The time, as sent by the agent. */
  readonly updatedAt?: string;
}

/** The searchable content of one entry. */
export interface SearchEntry {
  /** May be empty. */
  readonly text: string;
  /** The files that the entry touches, each once. */
  readonly touches: readonly Touch[];
}

/** What can happen to a file, from the least to the most significant. */
export const touchActs = ['used', 'read', 'moved', 'deleted', 'edited'] as const;
export type TouchAct = (typeof touchActs)[number];

/** What was done to a file, with the number of lines that were added and removed. */
interface FileWork {
  readonly act: TouchAct;
  readonly added: number;
  readonly removed: number;
}

export interface Touch extends FileWork {
  /** The path, in the form that `comparablePath` returns. */
  readonly file: string;
}

/**
 * What a session did to a file: the most significant act, the last entry that did it, and the sum
 * of all lines.
 */
export interface TouchHit extends FileWork {
  readonly session: IndexedSession;
  readonly entry: number;
}

export interface SessionPart {
  readonly session: IndexedSession;
  /**
   * Index of the first of `entries`, a multiple of `entriesInChunk`; replaces everything indexed
   * from there on.
   */
  readonly from: number;
  readonly entries: readonly SearchEntry[];
  /** Identifies this state of the session; empty while more parts follow. */
  readonly version: string;
  /** When the user last saw it, in ms; 0 if never. */
  readonly seen: number;
}

/** An entry or title that matches a query. */
export interface SearchHit {
  readonly session: IndexedSession;
  /** Index of the entry; `undefined` if the title matches. */
  readonly entry?: number;
  /** The text around the match, in its original form. */
  readonly snippet: string;
}

/** Number of entries in one document of the index. */
export const entriesInChunk = 16;

/** Every method rejects with `SearchIndexError` if the index can't perform it. */
export interface SearchIndex {
  /** Adds parts of sessions. Evicts older sessions if the index exceeds its limit. */
  put(...parts: readonly SessionPart[]): Promise<void>;
  /** The last `version` that was put; `undefined` if the session isn't completely indexed. */
  version(agentId: string, sessionId: string): Promise<string | undefined>;
  /** Best matches first, newest first among equals. Accepts any text. */
  search(text: string): Promise<readonly SearchHit[]>;
  /** What each session did to this file, given in all its spellings, newest first. */
  touching(files: readonly string[]): Promise<readonly TouchHit[]>;
  forget(agentId: string, sessionId: string): Promise<void>;
  /** Forgets everything, and deletes the index files. */
  clear(): Promise<void>;
}

export type SearchIndexProblem =
  /** The index was created by a newer version of the extension. */
  | 'newer'
  /** The index can't be written: the disk is full or read-only. */
  | 'readOnly'
  /** Another window holds the index for longer than this one waits. */
  | 'busy'
  | 'failed';

export class SearchIndexError extends Error {
  readonly problem: SearchIndexProblem;

  constructor(problem: SearchIndexProblem, message: string) {
    super(message);
    this.name = 'SearchIndexError';
    this.problem = problem;
  }
}
