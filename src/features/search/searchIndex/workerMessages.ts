import { isObject } from '../../../util/json';
import {
  entriesInChunk,
  type SearchIndex,
  type SearchIndexProblem,
  type SessionPart,
  touchActs,
} from '../model/searchIndex';

/** The messages between the window and the worker that holds the index. */

/** A part as it is sent: bytes are copied faster than texts, and those of a chunk than many texts. */
export interface PackedPart extends Omit<SessionPart, 'entries'> {
  /** The texts of each chunk's entries in UTF-8, separated by `textEnd`. */
  readonly chunks: readonly Uint8Array[];
  /**
   * The touches of each file as groups of four numbers: the entry, the index in `touchActs`, the
   * lines added and removed.
   */
  readonly files: ReadonlyMap<string, readonly number[]>;
}

/** Occurs in no text. */
export const textEnd = '\0';

/** The index as the worker implements it; `limit` is its maximum size, in bytes. */
export interface IndexCalls extends Omit<SearchIndex, 'put'> {
  put(parts: readonly PackedPart[], limit: number): Promise<void>;
}

export function packPart({ entries, ...part }: SessionPart): PackedPart {
  const files = new Map<string, number[]>();
  for (const [at, entry] of entries.entries()) {
    for (const { file, act, added, removed } of entry.touches) {
      const known = files.get(file) ?? [];
      known.push(part.from + at, touchActs.indexOf(act), added, removed);
      files.set(file, known);
    }
  }
  return { ...part, chunks: getChunks(entries), files };
}

function getChunks(entries: SessionPart['entries']): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < entries.length; at += entriesInChunk) {
    const texts = entries.slice(at, at + entriesInChunk).map(({ text }) => text);
    chunks.push(Buffer.from(texts.join(textEnd)));
  }
  return chunks;
}

type Method = keyof IndexCalls;

export type IndexRequest = {
  readonly [M in Method]: {
    readonly id: number;
    readonly method: M;
    readonly parameters: Parameters<IndexCalls[M]>;
  };
}[Method];

export interface IndexAnswer {
  readonly type: 'answer';
  readonly id: number;
  readonly value?: unknown;
  readonly failed?: { readonly problem: SearchIndexProblem; readonly message: string };
}

interface IndexLogLine {
  readonly type: 'log';
  readonly message: string;
}

/** The worker is alive, and waits for another window. */
interface IndexWaits {
  readonly type: 'waits';
}

export type FromWorker = IndexAnswer | IndexLogLine | IndexWaits;

export interface WorkerStart {
  /** The folder that all files are written to. */
  readonly folder: string;
  /** Distinguishes this window's worker from all others; hexadecimal. */
  readonly worker: string;
  /** How long requests that the user waits for may wait for another window, in ms. */
  readonly patience: number;
  /** How long all other requests may wait for another window, in ms. */
  readonly longPatience: number;
  /** Reading the index has ended earlier workers, so this one starts over. */
  readonly isSuspect: boolean;
}

/** The last message to the worker: it releases its files and ends. */
export const endOfWork = 'end';

const methods: readonly Method[] = ['put', 'version', 'search', 'touching', 'forget', 'clear'];

export function parseRequest(value: unknown): IndexRequest | undefined {
  const isRequest =
    isObject(value) &&
    typeof value['id'] === 'number' &&
    methods.some((method) => method === value['method']) &&
    Array.isArray(value['parameters']);
  return isRequest ? (value as unknown as IndexRequest) : undefined;
}

export function parseFromWorker(value: unknown): FromWorker | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  if (value['type'] === 'log' && typeof value['message'] === 'string') {
    return { type: 'log', message: value['message'] };
  }
  if (value['type'] === 'waits') {
    return { type: 'waits' };
  }
  return value['type'] === 'answer' && typeof value['id'] === 'number'
    ? (value as unknown as IndexAnswer)
    : undefined;
}
