import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { mustGit } from '../../../model/git/gitProcess';
import { mapAtOnce } from '../../../util/async';

/** What the files of a repository are, without their contents. */
export interface FolderState {
  /** The commit that is checked out. */
  readonly commit: string;
  /** Stands for the commit and everything that isn't committed, by name, size and time. */
  readonly mark: string;
}

const limitMs = 30_000;
/** Files that aren't committed; with more, nothing is said of them. */
const maxFiles = 5_000;
const filesAtOnce = 16;

/** What a folder's repository is now; `undefined` if there is no telling. Starts git. Never rejects. */
export async function readFolderState(
  git: string | undefined,
  folder: string,
): Promise<FolderState | undefined> {
  if (git === undefined) {
    return undefined;
  }
  const { signal } = new AbortController();
  const run = async (...args: readonly string[]): Promise<Buffer> =>
    mustGit({
      ...{ git, cwd: folder, environment: {}, limitMs, signal },
      args: ['-c', 'core.fsmonitor=false', ...args],
    });
  try {
    const [top = '', commit = ''] = (await run('rev-parse', '--show-toplevel', 'HEAD'))
      .toString('utf8')
      .split('\n');
    const status = await run(
      ...['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'],
      '--ignore-submodules=dirty',
    );
    const lines = status.toString('utf8').split('\0').slice(0, -1);
    if (lines.length > maxFiles) {
      return undefined;
    }
    const files = await mapAtOnce(lines, filesAtOnce, (line) => describe(top, line));
    const mark = createHash('sha256')
      .update(JSON.stringify([commit, files]))
      .digest('hex');
    return { commit, mark };
  } catch {
    return undefined;
  }
}

/** A line of the status, whose name begins after two letters and a space, with the file's size and time. */
async function describe(top: string, line: string): Promise<string> {
  const facts = await lstat(path.join(top, line.slice(3))).catch(() => undefined);
  return facts === undefined ? line : `${line}\0${facts.size}\0${facts.mtimeMs}`;
}
