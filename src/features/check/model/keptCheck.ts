import { isObject } from '../../../util/json';
import type { FolderState } from './folderState';

/** How a check ended, as it is kept beyond the window. */
export interface KeptCheck {
  readonly command: string;
  readonly cwd: string;
  /** In ms since the epoch. */
  readonly began: number;
  readonly state: 'passed' | 'failed';
  readonly reason?: string;
  /** Whether the agent had changed files, or might have, since it began. */
  readonly isStale: boolean;
  /** What the folder was when it had ended; absent if that couldn't be told. */
  readonly folder?: FolderState;
}

/** The results that are kept, by session key. */
export interface KeptChecks {
  get(key: string): KeptCheck | undefined;
  /** `undefined` removes it. */
  set(key: string, check: KeptCheck | undefined): void;
}

/** UTF-16 units of a command, a path or a reason; longer ones aren't ours. */
const maxLength = 8_000;
const hash = /^[\da-f]{40,64}$/;

/** Checks what any version, or another program, may have written; `undefined` if it is no result. */
export function readKeptCheck(value: unknown): KeptCheck | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { command, cwd, began, state, reason, isStale, folder } = value;
  const isWhole =
    isText(command) && isText(cwd) && Number.isFinite(began) && typeof isStale === 'boolean';
  if (!isWhole || (state !== 'passed' && state !== 'failed')) {
    return undefined;
  }
  const known = readFolder(folder);
  return {
    ...{ command, cwd, began: Number(began), state, isStale },
    ...(isText(reason) && { reason }),
    ...(known && { folder: known }),
  };
}

function readFolder(value: unknown): FolderState | undefined {
  const { commit, mark } = isObject(value) ? value : {};
  const isKnown = isText(commit) && isText(mark) && hash.test(commit) && hash.test(mark);
  return isKnown ? { commit, mark } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxLength;
}
