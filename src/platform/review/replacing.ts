import type * as vscode from 'vscode';
import type { NotReplaced, Replacement } from '../../model/review/reviewFiles';
import { mapAtOnce } from '../../util/async';

/** Files that are looked at or written at the same time. */
export const atOnce = 8;

/** A file that is about to be changed, and is as expected. */
export interface Ready extends Replacement {
  readonly real: string;
  /** Its permissions; `undefined`: there is no file. */
  readonly mode: number | undefined;
  /** Of the file. */
  readonly document: vscode.TextDocument | undefined;
}

/** The refusal of a file whose path leads to another one. */
export function elsewhere(file: string): NotReplaced {
  return { file, reason: 'failed', detail: 'it leads to another location' };
}

/** One file that fails is noted, and the others go on. */
export async function forEachFile<T extends { readonly file: string }>(
  all: readonly T[],
  count: number,
  refused: NotReplaced[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  await mapAtOnce(all, count, (item) =>
    work(item).catch(
      (error: unknown) => void refused.push({ file: item.file, ...reasonOf(error) }),
    ),
  );
}

function reasonOf(error: unknown): Pick<NotReplaced, 'reason' | 'detail'> {
  const { code } = error as { readonly code?: unknown };
  const isDenied = ['EACCES', 'EPERM', 'EROFS', 'NoPermissions'].includes(String(code));
  return { reason: isDenied ? 'readOnly' : 'failed', detail: String(error) };
}
