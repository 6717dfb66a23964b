import type { Repository } from '../../../model/places/repository';
import { readWorktrees, type Worktree } from '../../../model/places/worktrees';
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

/** The other worktrees beside the main one, those of the same prompt first. */
export async function otherWorktrees(
  { top }: Repository,
  branch: string | undefined,
  realPath: RealPath,
): Promise<readonly (Worktree & { readonly isSibling: boolean })[]> {
  const others = (await readWorktrees(top, realPath)).filter(({ isMain }) => !isMain);
  return others
    .map((tree) => ({ ...tree, isSibling: isSiblingOf(tree.branch, branch) }))
    .sort((a, b) => Number(b.isSibling) - Number(a.isSibling));
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
