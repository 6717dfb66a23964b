import type { RepositoryFacts } from './repositoryFacts';
import type { WorktreeGit } from './worktreeGit';

const maxWords = 6;
const maxProposalLength = 40;
/** Bytes: names of branches are names of files, and of folders. */
const maxNameBytes = 200;

/** A name for the branch of this prompt that no branch has; empty if the prompt has no words. */
export function proposedBranch(prompt: string, taken: (name: string) => boolean): string {
  const words = prompt
    .slice(0, 2_000)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  let name = '';
  for (const word of words?.slice(0, maxWords) ?? []) {
    const longer = name === '' ? word : `${name}-${word}`;
    if (longer.length > maxProposalLength) {
      name ||= word.slice(0, maxProposalLength).replace(/\p{Cs}/u, '');
      break;
    }
    name = longer;
  }
  return name === '' ? '' : freeName(name.normalize('NFC'), taken);
}

/** The name, or the first of `name-2`, `name-3`, … that is free. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; taken(free); number++) {
    free = `${name}-${number}`;
  }
  return free;
}

export type BranchCheck =
  | { readonly kind: 'new' }
  /** The branch exists and is in no worktree. */
  | { readonly kind: 'existing' }
  | { readonly kind: 'inUse'; readonly path: string }
  /** Git wouldn't take the name, or would take it for something else. */
  | { readonly kind: 'invalid' }
  /** A branch `a` and a branch `a/b` can't both exist. */
  | { readonly kind: 'inTheWay'; readonly branch: string };

/** Checks a name by Git's own rules; a name that is an option, or stands for another branch, isn't one. */
export async function checkBranchName(
  git: WorktreeGit,
  name: string,
  { branches }: Pick<RepositoryFacts, 'branches'>,
): Promise<BranchCheck> {
  if (name.startsWith('-') || Buffer.byteLength(name) > maxNameBytes || /[\0\n]/.test(name)) {
    return { kind: 'invalid' };
  }
  // `@{-1}` stands for another: git prints that, or fails. `@` is HEAD everywhere else.
  const printed = await git.printed('check-ref-format', '--branch', name);
  const isName = printed === name && name !== '@';
  if (!isName) {
    return { kind: 'invalid' };
  }
  const local = branches.filter(({ isRemote }) => !isRemote);
  const same = local.find((branch) => branch.name === name);
  if (same !== undefined) {
    return same.checkedOutIn === undefined
      ? { kind: 'existing' }
      : { kind: 'inUse', path: same.checkedOutIn };
  }
  const other = local.find(
    (branch) => branch.name.startsWith(`${name}/`) || name.startsWith(`${branch.name}/`),
  );
  return other === undefined ? { kind: 'new' } : { kind: 'inTheWay', branch: other.name };
}
