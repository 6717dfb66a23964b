import path from 'node:path';
import { createExactFile, readWithMode } from '../../../model/files/exactFile';
import type { RealPath } from '../../../model/ports';
import { AcpError } from '../../../protocol/errors';
import { plainName } from '../../review/model/checkpoints/rawDiff';
import { IncludeRules } from './includeRules';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

/** Why an ignored file didn't come along. */
export type NotBroughtReason =
  /** The worktree has it already: the branch has a file of this name. */
  | 'there'
  /** A link, or no regular file, or a name that can't be used. */
  | 'notAFile'
  | 'tooLarge'
  /** The limits of all files together. */
  | 'tooMuch'
  | 'failed';

interface NotBrought {
  readonly name: string;
  readonly reason: NotBroughtReason;
}

/** Names are relative to the top folder, with `/`. */
export interface BroughtFiles {
  readonly brought: readonly string[];
  readonly left: readonly NotBrought[];
  /** Patterns that counted for nothing. */
  readonly leftOutPatterns: readonly string[];
}

export interface BringLimits {
  readonly maxFiles: number;
  /** Bytes of one file. */
  readonly maxFileBytes: number;
  /** Bytes of all files. */
  readonly maxBytes: number;
  /** Time for all of it, in ms. */
  readonly maxMs: number;
}

const usualLimits: BringLimits = {
  maxFiles: 20_000,
  maxFileBytes: 100_000_000,
  maxBytes: 1_000_000_000,
  maxMs: 120_000,
};

interface Bring {
  /** A real path, the top folder of the worktree that has the files. */
  readonly from: string;
  /** The top folder of the new worktree. */
  readonly to: string;
  /** VS Code's patterns. */
  readonly globs: readonly string[];
  readonly realPath: RealPath;
  readonly signal: AbortSignal;
  readonly limits?: BringLimits;
}

/**
 * Copies files that Git ignores into a new worktree, those that the patterns name: of the user's settings, and of the
 * repository's `.worktreeinclude`. Nothing is replaced, and no link is followed on either side. Rejects with
 * `WorktreeTrouble` if Git can't say which files it ignores.
 */
export async function bringIgnored(git: WorktreeGit, bring: Bring): Promise<BroughtFiles> {
  const { from, to, globs, realPath, signal, limits = usualLimits } = bring;
  const rules = await IncludeRules.read(from, globs);
  const target = rules && (await realPath(to));
  if (rules === undefined || target === undefined) {
    return { brought: [], left: [], leftOutPatterns: [] };
  }
  const list = await git
    .in(from, signal)
    .bytes('ls-files', '-z', '--others', '--ignored', '--exclude-standard');
  const until = Date.now() + limits.maxMs;
  const brought: string[] = [];
  const left: NotBrought[] = [];
  let bytes = 0;
  for (const part of list.toString('latin1').split('\0').slice(0, -1)) {
    const shown = Buffer.from(part, 'latin1').toString('utf8');
    if (!rules.has(shown)) {
      continue;
    }
    // A folder is a repository of its own.
    const name = plainName(part);
    if (name === undefined) {
      left.push({ name: shown, reason: 'notAFile' });
    } else if (signal.aborted) {
      throw new WorktreeTrouble('cancelled');
    } else if (
      brought.length >= limits.maxFiles ||
      bytes >= limits.maxBytes ||
      Date.now() > until
    ) {
      left.push({ name, reason: 'tooMuch' });
    } else {
      const copied = await copy(name, from, target, {
        ...limits,
        maxBytes: limits.maxBytes - bytes,
      });
      if (typeof copied === 'number') {
        brought.push(name);
        bytes += copied;
      } else {
        left.push({ name, reason: copied });
      }
    }
  }
  const spent = rules.isSpent ? ['…'] : [];
  return { brought, left, leftOutPatterns: [...rules.leftOut, ...spent] };
}

/** Returns the size of the file, or why it isn't copied. */
async function copy(
  name: string,
  from: string,
  to: string,
  { maxFileBytes, maxBytes }: BringLimits,
): Promise<number | NotBroughtReason> {
  const parts = name.split('/');
  try {
    const source = path.join(from, ...parts);
    const { bytes, mode } = await readWithMode(source, Math.min(maxFileBytes, maxBytes));
    await createExactFile(path.join(to, ...parts), bytes, mode & 0o777);
    return bytes.length;
  } catch (error) {
    return reasonOf(error, maxBytes < maxFileBytes);
  }
}

function reasonOf(error: unknown, isAtTheEnd: boolean): NotBroughtReason {
  if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
    return 'there';
  }
  if (!(error instanceof AcpError)) {
    return 'failed';
  }
  if (error.facts.reason === 'tooLarge') {
    return isAtTheEnd ? 'tooMuch' : 'tooLarge';
  }
  return error.code === 'invalidParams' ? 'notAFile' : 'failed';
}
