import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { createExactFile, deleteExactFile } from '../../../model/files/exactFile';
import type { Repository } from '../../../model/places/repository';
import { mapAtOnce } from '../../../util/async';
import { plainName } from '../../review/model/checkpoints/rawDiff';
import type { ReviewFiles } from '../../review/model/reviewFiles';
import { removeEmpty } from './emptyFolders';
import { WorktreeTrouble } from './trouble';
import {
  inBase,
  type LeftChange,
  type LeftReason,
  readChanges,
  type Side,
  type WorktreeChange,
} from './worktreeChanges';
import type { WorktreeGit } from './worktreeGit';

/** What isn't committed in a worktree, by its files. */
export interface Uncommitted {
  readonly changes: readonly WorktreeChange[];
  /** What can't be moved, and why. */
  readonly left: readonly LeftChange[];
}

type Content = Exclude<Side, { kind: 'left' }>;

/** A file whose uncommitted changes go to another worktree. */
export interface MovedFile {
  readonly name: string;
  /** Absolute, where the changes are now. */
  readonly file: string;
  /** As the commit has it. */
  readonly before: Content;
  readonly now: Content;
}

interface MovePlan {
  readonly files: readonly MovedFile[];
  readonly left: readonly LeftChange[];
}

const filesAtOnce = 4;

/** What differs from the commit that is checked out. Rejects with `WorktreeTrouble`. */
export async function readUncommitted(
  git: WorktreeGit,
  place: Repository,
  commit: string,
): Promise<Uncommitted> {
  const { changes, left } = await readChanges(git, place, commit);
  const options = ['--cached', '--name-only', '-z', '--no-renames', '--no-ext-diff'];
  // Also what is only intended to be added.
  const whole = '--ita-visible-in-index';
  const here = git.in(place.top).withoutHooks();
  const text = await here.bytes('diff', ...options, whole, commit, '--');
  const names = text.toString('latin1').split('\0').slice(0, -1);
  const staged = new Set(names.map((name) => plainName(name)));
  return {
    changes: changes.filter(({ name }) => !staged.has(name)),
    // The index would have changes of them that nobody sees any more.
    left: [
      ...left,
      ...changes.flatMap(({ name }): LeftChange[] =>
        staged.has(name) ? [{ name, reason: 'staged' }] : [],
      ),
    ],
  };
}

/** Reads the files as they are now; those that can't be moved are left. Changes nothing. */
export async function planMove(
  git: WorktreeGit,
  place: Repository,
  changes: readonly WorktreeChange[],
  files: Pick<ReviewFiles, 'look'>,
): Promise<MovePlan> {
  const all = await mapAtOnce(changes, filesAtOnce, async (change) => ({
    name: change.name,
    planned: await planOne(git, place, change, files),
  }));
  return {
    files: all.flatMap(({ planned }) => (typeof planned === 'string' ? [] : [planned])),
    left: all.flatMap(({ name, planned }) =>
      typeof planned === 'string' ? [{ name, reason: planned }] : [],
    ),
  };
}

async function planOne(
  git: WorktreeGit,
  place: Repository,
  change: WorktreeChange,
  files: Pick<ReviewFiles, 'look'>,
): Promise<MovedFile | LeftReason> {
  const { name } = change;
  const file = path.join(place.top, ...name.split('/'));
  const before = await inBase(git, place, change);
  if (before.kind === 'left') {
    return before.reason;
  }
  const now = await files.look(file);
  if (now.kind === 'untouchable') {
    return now.reason === 'notAFile' ? 'link' : now.reason;
  }
  if (now.kind === 'absent') {
    return { name, file, before, now };
  }
  const { kind, bytes, isExecutable, unsaved } = now;
  return unsaved === undefined
    ? { name, file, before, now: { kind, bytes, isExecutable } }
    : 'dirty';
}

/**
 * Makes the files of a new worktree, whose top folder is a real path, what they are now. Rejects with
 * `WorktreeTrouble` if one of them can't be; some may be changed then.
 */
export async function carryOver(files: readonly MovedFile[], top: string): Promise<void> {
  const target = ({ name }: MovedFile): string => path.join(top, ...name.split('/'));
  try {
    // All deletions first: a file may take the place of a folder.
    for (const moved of files) {
      const { before, name } = moved;
      if (before.kind === 'file') {
        if (!(await deleteExactFile(target(moved), before.bytes))) {
          throw new Error(`${name} isn’t as the commit has it`);
        }
        await removeEmpty(path.dirname(target(moved)), top);
      }
    }
    for (const moved of files) {
      if (moved.now.kind === 'file') {
        const { bytes, isExecutable } = moved.now;
        // A file that is the user's alone stays so.
        const { mode } = await lstat(moved.file);
        await createExactFile(target(moved), bytes, mode & (isExecutable ? 0o777 : 0o666));
      }
    }
  } catch (error) {
    throw new WorktreeTrouble('notMoved', String(error));
  }
}

/**
 * Those of the files that have been committed, staged or reset since they were planned: to take them back would undo
 * that. Rejects with `WorktreeTrouble`.
 */
export async function findSettled(
  git: WorktreeGit,
  place: Repository,
  commit: string,
  moved: readonly MovedFile[],
): Promise<readonly LeftChange[]> {
  const { changes } = await readUncommitted(git, place, commit);
  const names = new Set(changes.map(({ name }) => name));
  return moved.flatMap(({ name }): LeftChange[] =>
    names.has(name) ? [] : [{ name, reason: 'changedSince' }],
  );
}

/** Makes the files what the commit has, those that still are what was carried over. Returns what was left. */
export async function takeBack(
  moved: readonly MovedFile[],
  files: ReviewFiles,
): Promise<readonly LeftChange[]> {
  return replace(moved, files, ({ before, now }) => [now, before]);
}

/** Makes the files again what was carried over, those that still are what the commit has. Returns what was left. */
export async function bringBack(
  moved: readonly MovedFile[],
  files: ReviewFiles,
): Promise<readonly LeftChange[]> {
  return replace(moved, files, ({ before, now }) => [before, now]);
}

async function replace(
  moved: readonly MovedFile[],
  files: ReviewFiles,
  getSides: (file: MovedFile) => readonly [from: Content, to: Content],
): Promise<readonly LeftChange[]> {
  const names = new Map(moved.map(({ file, name }) => [file, name]));
  const left = await files.replace(
    moved.map((one) => {
      const [from, to] = getSides(one);
      return {
        file: one.file,
        expected: from.kind === 'file' ? from.bytes : undefined,
        wanted: to.kind === 'file' ? to.bytes : undefined,
        ...(to.kind === 'file' && { isExecutable: to.isExecutable }),
        // The other worktree or the commit has them.
        forGood: true,
      };
    }),
    () => undefined,
  );
  return left.map(({ file, reason }) => ({ name: names.get(file) ?? file, reason }));
}
