import { createHash } from 'node:crypto';
import { mustGit } from '../../../../model/git/gitProcess';
import type { Blobs, FileState } from '../record/fileState';
import type { ObjectFormat } from './gitIndex';
import type { GitStore } from './gitStore';
import { type Kept, keepContents } from './keepContents';
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

/** Number of added or deleted files beyond which only exact copies are seen as moved. */
const maxComparedFiles = 400;
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
      before: getState(before, kept),
      after: getState(after, kept),
    })),
    leftOut,
    isDamaged: [...kept.values()].some(({ kind }) => kind === 'missing'),
  };
}

/** A file of a tree, unless it has these bytes. `undefined`: it has, or the store can't have it. */
export async function earlierIn(
  store: GitStore,
  tree: string,
  file: { readonly name: string; readonly now: Uint8Array | undefined },
  blobs: Blobs,
): Promise<FileState | undefined> {
  const { name, now } = file;
  const spec = `:(top,literal)${name}`;
  const output = await mustGit(store.reading(['ls-tree', '-z', '--full-tree', tree, '--', spec]));
  const [, mode, id] = /^(\d{6}) blob ([0-9a-f]+)\t/.exec(output.toString('latin1')) ?? [];
  if (mode === undefined || id === undefined) {
    const isNew = output.length === 0 && now !== undefined && !(await store.leavesOut(name));
    return isNew ? { kind: 'absent' } : undefined;
  }
  if (now !== undefined && getId(now, store.format) === id) {
    return undefined;
  }
  const kept = await keepContents(store, [id], blobs);
  const state = getState({ mode: Number.parseInt(mode, 8), id }, kept);
  return state.kind === 'file' && !state.isLink ? state : undefined;
}

function getId(bytes: Uint8Array, format: ObjectFormat): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function diff(store: GitStore, from: string, to: string): Promise<Buffer> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-ext-diff', '--no-textconv'];
  const moves = ['-M', `-l${maxComparedFiles}`, '--no-rename-empty'];
  try {
    return await mustGit(store.reading([...args, ...moves, from, to, ...store.pathspec]));
  } catch {
    // Contents that git would compare to find renames may be missing.
    return await mustGit(store.reading([...args, '--no-renames', from, to, ...store.pathspec]));
  }
}

function getState({ mode, id }: RawSide, kept: ReadonlyMap<string, Kept>): FileState {
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
