/** The index of what was said in the sessions that this machine has seen; `platform` keeps it. */

/** A session as the index knows it: enough to show it and to open it. */
export interface IndexedSession {
  readonly agentId: string;
  readonly sessionId: string;
  /** One clean line, never empty. */
  readonly title: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** As the agent said it. */
  readonly updatedAt?: string;
}

/** What of one entry can be found. */
export interface SearchEntry {
  /** May be empty. */
  readonly text: string;
  /** What it did to files, once for each. */
  readonly touches: readonly Touch[];
}

/** What can be done to a file, what says least of it first. */
export const touchActs = ['used', 'read', 'moved', 'deleted', 'edited'] as const;
export type TouchAct = (typeof touchActs)[number];

/** What was done to a file, with the lines that were added and removed. */
interface FileWork {
  readonly act: TouchAct;
  readonly added: number;
  readonly removed: number;
}

export interface Touch extends FileWork {
  /** In the form of `comparablePath`. */
  readonly file: string;
}

/** What a session did to a file: the act that says most, the last entry that did it, and all lines together. */
export interface TouchHit extends FileWork {
  readonly session: IndexedSession;
  readonly entry: number;
}

export interface SessionPart {
  readonly session: IndexedSession;
  /** Place of the first of `entries`, a multiple of `entriesInChunk`: what is indexed from there on is replaced. */
  readonly from: number;
  readonly entries: readonly SearchEntry[];
  /** What tells this state of the session from others; empty as long as more parts follow. */
  readonly version: string;
  /** When a person last saw it, in ms; 0 when none did. */
  readonly seen: number;
}

/** A place in a session that fits what is looked for. */
export interface SearchHit {
  readonly session: IndexedSession;
  /** Index of the entry; `undefined` when it is the title that fits. */
  readonly entry?: number;
  /** Text around what was found, as an agent or a person wrote it. */
  readonly snippet: string;
}

/** How many entries are one document of the index. */
export const entriesInChunk = 16;

/** Every method rejects with `SearchIndexError` when the index can't do it. */
export interface SearchIndex {
  /** Takes in a part of a session. Older sessions go when the index grows beyond its limit. */
  put(part: SessionPart): Promise<void>;
  /** The `version` that was put last; `undefined` when the session isn't there as a whole. */
  version(agentId: string, sessionId: string): Promise<string | undefined>;
  /** Newest first, those that fit best before others. Any text will do. */
  search(text: string): Promise<readonly SearchHit[]>;
  /** What each session did to these files, which are spellings of one, newest first. */
  touching(files: readonly string[]): Promise<readonly TouchHit[]>;
  forget(agentId: string, sessionId: string): Promise<void>;
  /** Forgets everything, and deletes its files. */
  clear(): Promise<void>;
}

export type SearchIndexProblem =
  /** Another version of the extension, newer than this one, has made the index. */
  | 'newer'
  /** It can't be written: the disk is full, or may only be read. */
  | 'readOnly'
  /** Another window holds it for longer than this one waits. */
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
