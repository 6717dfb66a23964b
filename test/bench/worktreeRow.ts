import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { addWorktree } from '../../src/features/worktrees/model/newWorktree';
import { readRepository } from '../../src/features/worktrees/model/repositoryFacts';
import { WorktreeGit } from '../../src/features/worktrees/model/worktreeGit';
import { files, inFolder, makeRepository, timed } from './checkpointRows';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

const rounds = 5;
const run = promisify(execFile);

/** What "New Session in Worktree" does until the session begins, beside `git worktree add` of the same. */
export async function worktreeRow(): Promise<TableRow> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-')));
  const repository = path.join(folder, 'repository');
  const place = path.join(folder, 'worktree');
  const git = new WorktreeGit(
    { program: () => Promise.resolve('git') },
    repository,
    new AbortController().signal,
  );
  let count = 0;
  /** Each round begins without the worktree of the one before. */
  const round = (add: (branch: string) => Promise<unknown>) => async (): Promise<number> => {
    const branch = `branch-${++count}`;
    const milliseconds = await timed(() => add(branch));
    await run('git', ['worktree', 'remove', '--force', place], { cwd: repository });
    return milliseconds;
  };
  try {
    await makeRepository(repository, files / inFolder);
    const alone = round((branch) =>
      run('git', ['worktree', 'add', '-q', '-b', branch, place, 'HEAD'], { cwd: repository }),
    );
    const ours = round(async (branch) => {
      const facts = await readRepository(repository, git, (file) => Promise.resolve(file));
      const { head } = facts;
      const base = head && { commit: head.commit, ref: `refs/heads/${head.branch}` };
      await addWorktree(git, facts, { branch, folder: place, base });
    });
    await alone();
    const { a, b } = await interleaved(rounds, alone, ours);
    const [floor, measured] = [median(a), median(b)];
    return {
      what: `a new worktree of ${files.toLocaleString('en')} files`,
      limit: '≤ 1.1 × git worktree add',
      measured: `${(measured / floor).toFixed(2)} × (${Math.round(measured)} ms, git worktree add ${Math.round(floor)} ms)`,
      met: measured <= 1.1 * floor,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
