import type { SearchIndex, SearchIndexProblem, SessionPart } from '../../model/searchIndex';
import { isObject } from '../../util/json';

/** What the window and the worker with its index say to each other. */

/** The index as the worker has it: besides, it is told how large it may become, in bytes. */
export interface IndexCalls extends Omit<SearchIndex, 'put'> {
  put(part: SessionPart, limit: number): Promise<void>;
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

export interface IndexLogLine {
  readonly type: 'log';
  readonly message: string;
}

export interface WorkerStart {
  /** The folder that everything is written into. */
  readonly folder: string;
  /** How long another window may hold the index, in ms. */
  readonly patience: number;
}

/** The worker's last message to nobody: it lets go of its files and ends. */
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

export function parseFromWorker(value: unknown): IndexAnswer | IndexLogLine | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  if (value['type'] === 'log' && typeof value['message'] === 'string') {
    return { type: 'log', message: value['message'] };
  }
  return value['type'] === 'answer' && typeof value['id'] === 'number'
    ? (value as unknown as IndexAnswer)
    : undefined;
}
