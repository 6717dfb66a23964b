import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '../../../model/files/regularFile';
import type { Repository } from '../../../model/places/repository';
import { plainName, type RawSide, readRawDiff } from '../../review/model/checkpoints/rawDiff';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

/** A file that differs between a worktree and its base. */
export interface WorktreeChange {
  /** Relative to the top folder, with `/`. */
  readonly name: string;
  /** The file in the base; `undefined`: it isn't there. */
  readonly before: RawSide | undefined;
}

/** Why a change can't be brought elsewhere. */
export type LeftReason =
  /** The name can't be used on this system. */
  | 'name'
  | 'submodule'
  | 'link'
  | 'unmerged'
  | 'tooLarge'
  | 'unreadable'
  | 'binary'
  | 'deletedHere'
  | 'deletedThere'
  | 'changedSince'
  | 'readOnly'
  | 'dirty'
  /** The index has changes of it, which would stay. */
  | 'staged'
  | 'elsewhere'
  /** The file would be deleted, and can't go to the trash. */
  | 'noTrash'
  /** The file would be deleted for good, and the user doesn't want that. */
  | 'declined'
  | 'failed';

export interface LeftChange {
  readonly name: string;
  readonly reason: LeftReason;
}

export interface WorktreeChanges {
  /** The commit that both have in common. */
  readonly base: string;
  /** The changes, by name. */
  readonly changes: readonly WorktreeChange[];
  readonly left: readonly LeftChange[];
}

/** A file in one of the two: bytes as they are when they are checked out. */
export type Side =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly isExecutable: boolean }
  | { readonly kind: 'left'; readonly reason: LeftReason };

/** Whether both have the same bytes, and may be executed alike, or no file. */
export function isSameSide(one: Side, other: Side): boolean {
  return one.kind === 'file' && other.kind === 'file'
    ? one.isExecutable === other.isExecutable && Buffer.compare(one.bytes, other.bytes) === 0
    : one.kind === 'absent' && other.kind === 'absent';
}

/** Maximum number of files in an editor of changes. */
export const maxShownFiles = 200;
const maxFileBytes = 50_000_000;
const executable = 0o111;
/** Modes of files in Git. */
const regular = new Set([0o100644, 0o100755, 0o100664]);

/** What has changed since the base, committed or not; new files too, but not ignored ones. */
export async function readChanges(
  git: WorktreeGit,
  { top }: Repository,
  base: string,
): Promise<WorktreeChanges> {
  const here = git.in(top).withoutHooks();
  const diff = ['--raw', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff', '--no-textconv'];
  const [raw, others, conflicts] = await Promise.all([
    here.bytes('diff', ...diff, '--ignore-submodules=dirty', base, '--'),
    here.bytes('ls-files', '-z', '--others', '--exclude-standard'),
    here.bytes('ls-files', '-z', '--unmerged'),
  ]);
  const unmerged = new Set(getParts(conflicts).map((line) => nameIn(line.split('\t')[1] ?? '')));
  const tracked = readRawDiff(raw).changes.map(({ name, before }) => ({
    name,
    before: before.mode === 0 ? undefined : before,
  }));
  const untracked = getParts(others).map((part) => ({ name: plainName(part), as: nameIn(part) }));
  const left: LeftChange[] = [...leftIn(raw)];
  const changes: WorktreeChange[] = [];
  const found = new Map(tracked.map((change) => [change.name, change]));
  for (const { name, as } of untracked) {
    if (name === undefined) {
      // The name of a folder ends with `/`: a repository inside this one.
      left.push({ name: as, reason: as.endsWith('/') ? 'submodule' : 'name' });
    } else if (!found.has(name)) {
      found.set(name, { name, before: undefined });
    }
  }
  for (const change of found.values()) {
    if (unmerged.has(change.name)) {
      left.push({ name: change.name, reason: 'unmerged' });
    } else {
      changes.push(change);
    }
  }
  return { base, changes: changes.sort((a, b) => (a.name < b.name ? -1 : 1)), left };
}

/** What the list of changes has no place for. */
function* leftIn(raw: Buffer): Generator<LeftChange> {
  const parts = getParts(raw);
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const name = parts[at + 1] ?? '';
    if (/160000/.test(parts[at]?.slice(0, 14) ?? '')) {
      yield { name: nameIn(name), reason: 'submodule' };
    } else if (plainName(name) === undefined) {
      yield { name: nameIn(name), reason: 'name' };
    }
  }
}

/** The file as the base has it. */
export async function inBase(
  git: WorktreeGit,
  { top }: Repository,
  { name, before }: WorktreeChange,
): Promise<Side> {
  if (before === undefined) {
    return { kind: 'absent' };
  }
  if (!regular.has(before.mode)) {
    return { kind: 'left', reason: 'link' };
  }
  try {
    // With line ends and filters as on the disk.
    const bytes = await git.in(top).bytes('cat-file', '--filters', `--path=${name}`, before.id);
    return { kind: 'file', bytes, isExecutable: (before.mode & executable) !== 0 };
  } catch (error) {
    if (error instanceof WorktreeTrouble && error.problem === 'failed') {
      return { kind: 'left', reason: 'unreadable' };
    }
    throw error;
  }
}

/** The file as the worktree has it, saved or not by a commit. */
export async function inWorktree({ top }: Pick<Repository, 'top'>, name: string): Promise<Side> {
  const file = path.join(top, name);
  const facts = await lstat(file).catch(() => undefined);
  if (facts === undefined) {
    return { kind: 'absent' };
  }
  if (!facts.isFile()) {
    return { kind: 'left', reason: 'link' };
  }
  if (facts.size > maxFileBytes) {
    return { kind: 'left', reason: 'tooLarge' };
  }
  try {
    const bytes = await readRegularFile(file, { maxBytes: maxFileBytes });
    return { kind: 'file', bytes, isExecutable: (facts.mode & executable) !== 0 };
  } catch {
    return { kind: 'left', reason: 'unreadable' };
  }
}

/** Splits the output as Latin 1, byte by byte. */
function getParts(output: Buffer): readonly string[] {
  return output.toString('latin1').split('\0').slice(0, -1);
}

/** A name as text for the user. */
function nameIn(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
