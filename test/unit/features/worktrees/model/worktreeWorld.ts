import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Base } from '../../../../../src/features/worktrees/model/base';
import { addWorktree } from '../../../../../src/features/worktrees/model/newWorktree';
import {
  type RepositoryFacts,
  readRepository,
} from '../../../../../src/features/worktrees/model/repositoryFacts';
import { WorktreeTrouble } from '../../../../../src/features/worktrees/model/trouble';
import {
  type GitLimits,
  WorktreeGit,
} from '../../../../../src/features/worktrees/model/worktreeGit';
import { realPath } from '../../../../../src/platform/files/realPath';
import { GitWorld } from '../../review/model/checkpoints/gitWorld';

/** Real repositories in a temporary folder, and what the model makes of them. */
export class WorktreeWorld extends GitWorld {
  constructor() {
    super();
    this.write(this.at('home', '.gitconfig'), '[user]\n\tname = A\n\temail = a@example.com\n');
  }

  readonly model = this.runner({});

  /** `program`: instead of git. */
  runner(options: {
    readonly program?: string | undefined;
    readonly limits?: GitLimits;
    readonly signal?: AbortSignal;
  }): WorktreeGit {
    const { program = 'git', limits, signal = new AbortController().signal } = options;
    const git = 'program' in options ? options.program : program;
    return new WorktreeGit(
      { program: () => Promise.resolve(git), ...(limits && { limits }) },
      this.folder,
      signal,
    );
  }

  facts(folder: string, git = this.model): Promise<RepositoryFacts> {
    return readRepository(folder, git, realPath);
  }

  /** A worktree as the command makes it. */
  async add(folder: string, branch: string, base?: Base): Promise<string> {
    const facts = await this.facts(folder);
    const { head } = facts;
    const current = head && {
      commit: head.commit,
      ref: head.branch && `refs/heads/${head.branch}`,
    };
    const place = path.join(facts.beside, 'trees', branch.replaceAll('/', '-'));
    return addWorktree(this.model, facts, { branch, folder: place, base: base ?? current });
  }

  commit(folder: string, files: Readonly<Record<string, string>>, message = 'Next'): string {
    for (const [name, text] of Object.entries(files)) {
      this.write(path.join(folder, name), text);
    }
    this.git(folder, 'add', '-A');
    this.git(folder, 'commit', '-q', '-m', message);
    return this.git(folder, 'rev-parse', 'HEAD').trim();
  }

  /** A program in place of git: a shell script, which may run git itself. */
  program(name: string, script: string): string {
    const file = this.at('bin', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }
}

/** The problem that this ends with. */
export async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (!(error instanceof WorktreeTrouble)) {
      throw error;
    }
    return error.problem;
  }
}
