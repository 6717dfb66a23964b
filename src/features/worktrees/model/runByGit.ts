import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../model/files/roots';
import type { Repository } from '../../../model/places/repository';
import { readWorktrees } from '../../../model/places/worktrees';
import type { RealPath } from '../../../model/ports';
import { inWorktree, isSameSide } from './worktreeChanges';
import type { WorktreeGit } from './worktreeGit';

/** What Git would run besides itself. */
export interface RunByGit {
  /** The hooks that are there, by name. */
  readonly hooks: readonly string[];
  /**
   * Files of the worktree, and settings of it alone, that decide what is run and aren't what the user has checked out:
   * whoever works in the worktree may have changed them.
   */
  readonly changed: readonly string[];
}

export const commitHooks = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'reference-transaction',
  'post-index-change',
] as const;
export const pushHooks = ['pre-push', 'reference-transaction'] as const;

/** Settings that Git itself makes for one worktree. */
const usualSettings =
  /^(?:core\.(?:bare|worktree|sparsecheckout|sparsecheckoutcone)|index\.sparse)$/;
const maxFiles = 1_000;
const executable = 0o111;

/**
 * Looks at hooks and configuration without running anything. Hooks of the repository itself are the user's own; those in
 * the worktree count as changed unless they are as in the base, or as in the main worktree if Git doesn't have them.
 */
export async function readRunByGit(
  git: WorktreeGit,
  place: Repository,
  base: string,
  { names, realPath }: { readonly names: readonly string[]; readonly realPath: RealPath },
): Promise<RunByGit> {
  const here = git.in(place.top);
  const folder = path.resolve(
    place.top,
    (await here.text('rev-parse', '--git-path', 'hooks')).trim(),
  );
  const hooks: string[] = [];
  const changed = [...(await changedSettings(here, place))];
  for (const name of names) {
    const file = path.join(folder, name);
    const facts = await stat(file).catch(() => undefined);
    if (facts?.isFile() === true && (facts.mode & executable) !== 0) {
      hooks.push(name);
      const real = await realPath(file);
      if (real !== undefined && isInside(real, [place.top])) {
        changed.push(
          ...(await changedFiles(git, place, base, { file: path.dirname(real), realPath })),
        );
      }
    }
  }
  const isHere = isInside((await realPath(folder)) ?? folder, [place.top]);
  if (isHere && hooks.length > 0) {
    changed.push(...(await changedFiles(git, place, base, { file: folder, realPath })));
  }
  return { hooks, changed: [...new Set(changed)] };
}

/** Settings of this worktree alone, and files in it that the configuration includes. */
async function changedSettings(git: WorktreeGit, { top }: Repository): Promise<readonly string[]> {
  const list = await git.text('config', '--list', '--show-scope', '--show-origin', '-z');
  const parts = list.split('\0');
  const changed: string[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [scope = '', origin = '', setting = ''] = parts.slice(at, at + 3);
    const key = setting.split('\n', 1)[0] ?? '';
    const file = origin.startsWith('file:') ? path.resolve(top, origin.slice(5)) : undefined;
    if (scope === 'worktree' && !usualSettings.test(key)) {
      changed.push(key);
    } else if (file !== undefined && isInside(file, [top])) {
      changed.push(path.relative(top, file));
    }
  }
  return changed;
}

/** The files in a folder of the worktree that aren't as in the base, or, if Git doesn't have them, as in the main one. */
async function changedFiles(
  git: WorktreeGit,
  { top }: Repository,
  base: string,
  { file, realPath }: { readonly file: string; readonly realPath: RealPath },
): Promise<readonly string[]> {
  const here = git.in(top).withoutHooks();
  const below = path.relative(top, file).split(path.sep).join('/') || '.';
  const literal = '--literal-pathspecs';
  const plain = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  // A submodule's own configuration may have filters.
  const own = '--ignore-submodules=dirty';
  const differing = await here.text(literal, 'diff', ...plain, own, base, '--', below);
  const others = await here.text(literal, 'ls-files', '-z', '--others', '--', below);
  const main = (await readWorktrees(top, realPath)).find(({ isMain }) => isMain)?.path;
  const changed = differing.split('\0').filter(Boolean);
  const unknown = others.split('\0').filter(Boolean);
  for (const name of unknown.slice(0, maxFiles)) {
    const isSame =
      main !== undefined &&
      isSameSide(await inWorktree({ top }, name), await inWorktree({ top: main }, name));
    changed.push(...(isSame ? [] : [name]));
  }
  return [...changed, ...unknown.slice(maxFiles)];
}
