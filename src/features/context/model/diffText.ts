import { runGit } from '../../../model/git/gitProcess';
import type { Environment } from '../../../util/process/environment';

export const comparisons = ['uncommitted', 'staged', 'base'] as const;
export type Comparison = (typeof comparisons)[number];

export interface DiffRun {
  /** The path of the git program. */
  readonly git: string;
  readonly cwd: string;
  /** Of which files; of all in `cwd` if there are none. */
  readonly files?: readonly string[];
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

const limitMs = 8000;
const maxBytes = 8 * 1024 * 1024;
const maxUntracked = 200;
/** Nothing that a repository configures is run for a diff. */
const quiet = [
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
];
const diff = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short'];

/**
 * What has changed in a folder, as a patch: since the last commit, with the names of files that Git doesn't know yet; in
 * the index; or since the branch left its base. Empty if nothing has. Rejects if Git can't tell.
 */
export async function diffText(run: DiffRun, comparison: Comparison): Promise<string> {
  // Without a repository, git would compare files that have nothing to do with each other.
  await git(run, ['rev-parse', '--git-dir']);
  switch (comparison) {
    case 'staged':
      return git(run, [...diff, '--cached', '--', ...paths(run)]);
    case 'base':
      return git(run, [...diff, await findBase(run), '--', ...paths(run)]);
    case 'uncommitted': {
      const last = await git(run, ['rev-parse', '--verify', 'HEAD']).catch(() => '--cached');
      const tracked = await git(run, [...diff, last, '--', ...paths(run)]);
      const untracked = await untrackedFiles(run);
      return [tracked, namedFiles(untracked)].filter((part) => part !== '').join('\n');
    }
  }
}

/** The files that Git doesn't know yet and isn't told to ignore, relative to `cwd`. */
export async function untrackedFiles(run: DiffRun): Promise<readonly string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...paths(run)];
  return (await git(run, args)).split('\0').filter((name) => name !== '');
}

function paths({ files = [] }: DiffRun): readonly string[] {
  return files.length > 0 ? files : ['.'];
}

function namedFiles(names: readonly string[]): string {
  const more = names.length - maxUntracked;
  return names.length === 0
    ? ''
    : [
        'New files that Git does not track yet:',
        ...names.slice(0, maxUntracked),
        ...(more > 0 ? [`(${more} more)`] : []),
      ].join('\n');
}

/** Where the branch left the one that it follows, or the default branch of `origin`. */
async function findBase(run: DiffRun): Promise<string> {
  for (const other of ['@{upstream}', 'origin/HEAD', 'main', 'master']) {
    const base = await git(run, ['merge-base', 'HEAD', other]).catch(() => '');
    if (base !== '') {
      return base.trim();
    }
  }
  throw new Error('The branch has no base that Git knows');
}

async function git(run: DiffRun, args: readonly string[]): Promise<string> {
  const { code, output, complaint } = await runGit(
    { ...run, args: [...quiet, ...args], limitMs },
    maxBytes,
  );
  if (code !== 0) {
    throw new Error(complaint.split('\n')[0] ?? '');
  }
  return output.toString('utf8').trimEnd();
}
