import { findRepository, type Repository } from '../../../model/places/repository';
import { readOwnBranch, readWorktrees } from '../../../model/places/worktrees';
import type { RealPath } from '../../../model/ports';
import { WorktreeTrouble } from './trouble';
import { inWorktree, readChanges, type Side, type WorktreeChanges } from './worktreeChanges';
import type { WorktreeGit } from './worktreeGit';

/** The part of a branch's name that those of one prompt to several agents have in common: `fix-it/`. */
function findStem(branch: string | undefined): string | undefined {
  return branch?.includes('/') ? branch.slice(0, branch.lastIndexOf('/') + 1) : undefined;
}

/** Whether two branches were made for one prompt to several agents. */
export function isSiblingOf(branch: string | undefined, other: string | undefined): boolean {
  const stem = findStem(branch);
  return stem !== undefined && stem === findStem(other);
}

/** A worktree and the branch that is checked out there, if that can be read. */
export interface Tree {
  readonly place: Repository;
  readonly branch: string | undefined;
}

/** A worktree, and the others of its repository. */
export interface Neighborhood extends Tree {
  /** Those beside the main one that are there; those of the same prompt first. */
  readonly others: readonly (Tree & { readonly isSibling: boolean })[];
}

/** A worktree with its neighbors. Never rejects. */
export async function readNeighborhood(
  place: Repository,
  realPath: RealPath,
): Promise<Neighborhood> {
  const branch = await readOwnBranch(place);
  const trees = (await readWorktrees(place.top, realPath)).filter(({ isMain }) => !isMain);
  const others = await Promise.all(
    trees.map(async (tree) => {
      const other = await findRepository(tree.path, realPath);
      const isSibling = isSiblingOf(tree.branch, branch);
      return other && { place: other, branch: tree.branch, isSibling };
    }),
  );
  return {
    place,
    branch,
    others: others
      .filter((other) => other !== undefined)
      .sort((a, b) => Number(b.isSibling) - Number(a.isSibling)),
  };
}

/** A file that two worktrees have differently. */
export interface Difference {
  readonly name: string;
  readonly one: Side;
  readonly other: Side;
}

/** How two worktrees differ, by their files as they are now. Rejects with `WorktreeTrouble`. */
export async function readDifferences(
  git: WorktreeGit,
  one: Repository,
  other: Repository,
): Promise<readonly Difference[]> {
  const commit = (await git.in(other.top).text('rev-parse', 'HEAD')).trim();
  const base = await git.in(one.top).printed('merge-base', 'HEAD', commit);
  if (base === undefined) {
    throw new WorktreeTrouble('noBase');
  }
  const both = await Promise.all([one, other].map((place) => readChanges(git, place, base)));
  const found: Difference[] = [];
  for (const name of getNames(both)) {
    const [own, others] = await Promise.all([inWorktree(one, name), inWorktree(other, name)]);
    if (!isSameContent(own, others)) {
      found.push({ name, one: own, other: others });
    }
  }
  return found;
}

function getNames(both: readonly WorktreeChanges[]): readonly string[] {
  return [...new Set(both.flatMap(({ changes }) => changes.map(({ name }) => name)))].sort();
}

function isSameContent(one: Side, other: Side): boolean {
  return one.kind === 'file' && other.kind === 'file'
    ? Buffer.compare(one.bytes, other.bytes) === 0
    : one.kind === other.kind;
}
