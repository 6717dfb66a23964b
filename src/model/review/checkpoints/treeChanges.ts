import type { Blobs, FileState } from '../fileState';
import { type Kept, keepContents } from './contents';
import { mustGit } from './gitProcess';
import type { GitStore } from './gitStore';
import { type RawSide, readRawDiff } from './rawDiff';

/** A file that differs between two trees. */
interface NamedChange {
  /** Relative to the store's top, with `/`. */
  readonly name: string;
  readonly movedFrom?: string;
  readonly before: FileState;
  readonly after: FileState;
}

export interface TreeChanges {
  readonly changes: readonly NamedChange[];
  /** Files whose names can't be used. */
  readonly leftOut: number;
  /** Contents are missing, so the store can't be trusted any more. */
  readonly isDamaged: boolean;
}

/** Beyond this many added or deleted files only exact copies are seen as moved. */
const mostCompared = 400;
const executable = 0o100755;
const link = 0o120000;

/** What differs between two trees of a store; the contents are added to `blobs`. */
export async function changesBetween(
  store: GitStore,
  from: string,
  to: string,
  blobs: Blobs,
): Promise<TreeChanges> {
  const { changes, leftOut } = readRawDiff(await diff(store, from, to));
  const ids = changes
    .flatMap(({ before, after }) => [before, after])
    .filter(({ mode }) => mode !== 0)
    .map(({ id }) => id);
  const kept = await keepContents(store, [...new Set(ids)], blobs);
  return {
    changes: changes.map(({ before, after, ...names }) => ({
      ...names,
      before: stateOf(before, kept),
      after: stateOf(after, kept),
    })),
    leftOut,
    isDamaged: [...kept.values()].some(({ kind }) => kind === 'missing'),
  };
}

async function diff(store: GitStore, from: string, to: string): Promise<Buffer> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-ext-diff', '--no-textconv'];
  const moves = ['-M', `-l${mostCompared}`, '--no-rename-empty'];
  try {
    return await mustGit(store.reading([...args, ...moves, from, to, ...store.pathspec]));
  } catch {
    // Contents that it would compare may be missing.
    return await mustGit(store.reading([...args, '--no-renames', from, to, ...store.pathspec]));
  }
}

function stateOf({ mode, id }: RawSide, kept: ReadonlyMap<string, Kept>): FileState {
  const content = kept.get(id);
  if (mode === 0) {
    return { kind: 'absent' };
  }
  switch (content?.kind) {
    case 'kept':
      return {
        kind: 'file',
        hash: content.hash,
        size: content.size,
        ...(mode === executable ? { isExecutable: true as const } : {}),
        ...(mode === link ? { isLink: true as const } : {}),
      };
    case 'unkept':
      return content;
    case 'missing':
    case undefined:
      return { kind: 'unkept', reason: 'unreadable' };
  }
}
