import path from 'node:path';
import type { Repository } from '../../../model/places/repository';
import { mapAtOnce } from '../../../util/async';
import {
  apply as applyHunks,
  countLines,
  hunksBetween,
  linesIn,
  touches,
} from '../../review/model/decisions/lines';
import type { Hunk } from '../../review/model/review';
import type { ReviewFiles } from '../../review/model/reviewFiles';
import {
  inBase,
  inWorktree,
  isSameSide,
  readChanges,
  type Side,
  type WorktreeChange,
} from './worktreeChanges';
import type { WorktreeGit } from './worktreeGit';

/** A part of what has changed in a worktree that can be applied alone: a hunk, or a file as a whole. */
export interface ChangePart {
  readonly file: ChangedFile;
  /** `undefined`: the whole file, which is new, deleted, no text, or may be executed now. */
  readonly hunk: Hunk | undefined;
  readonly added: number;
  readonly removed: number;
  /** The first line of it that says something. */
  readonly line: string;
  /** Whether the same lines have changed in the workspace, too. */
  readonly touchesOwn: boolean;
}

/** A file that has changed in a worktree, as it was read. */
export interface ChangedFile {
  readonly name: string;
  readonly base: Side;
  readonly theirs: Side;
  /** The texts of both; `undefined`: one of them isn't a text. Of a file that isn't there, it is empty. */
  readonly texts: { readonly before: string; readonly now: string } | undefined;
}

/** What is wanted of each file, by name: the file as it was read, and its hunks; `undefined`: all of it. */
export type Chosen = ReadonlyMap<
  string,
  { readonly file: ChangedFile; readonly hunks: readonly Hunk[] | undefined }
>;

export interface ChangeParts {
  readonly parts: readonly ChangePart[];
  /** The number of parts beyond the bound. */
  readonly left: number;
}

const filesAtOnce = 4;
/** More can't be looked through one by one. */
const maxParts = 1_000;

/** Reads the parts of what has changed in a worktree since its base. Rejects with `WorktreeTrouble`. */
export async function readParts(
  git: WorktreeGit,
  from: { readonly place: Repository; readonly base: string },
  to: { readonly top: string; readonly files: ReviewFiles },
): Promise<ChangeParts> {
  const { changes } = await readChanges(git, from.place, from.base);
  const all = await mapAtOnce(changes, filesAtOnce, async (change) => {
    const file = await readFile(git, from.place, change, to);
    return file === undefined ? [] : partsOf(file, await ownLines(change.name, to));
  });
  const parts = all.flat();
  return { parts: parts.slice(0, maxParts), left: Math.max(parts.length - maxParts, 0) };
}

/** `undefined`: nothing of it can be applied. */
async function readFile(
  git: WorktreeGit,
  place: Repository,
  change: WorktreeChange,
  { top, files }: Parameters<typeof readParts>[2],
): Promise<ChangedFile | undefined> {
  const { name } = change;
  const base = await inBase(git, place, change);
  const theirs = await inWorktree(place, name);
  if (base.kind === 'left' || theirs.kind === 'left' || isSameSide(base, theirs)) {
    return undefined;
  }
  const file = path.join(top, ...name.split('/'));
  const decode = (side: Side): Promise<string | undefined> =>
    side.kind === 'file' ? files.decode(file, side.bytes) : Promise.resolve('');
  const [before, now] = await Promise.all([base, theirs].map(decode));
  const texts = before === undefined || now === undefined ? undefined : { before, now };
  return { name, base, theirs, texts };
}

/** The lines of the file in the workspace, saved or not. */
async function ownLines(
  name: string,
  { top, files }: Parameters<typeof readParts>[2],
): Promise<readonly string[]> {
  const file = path.join(top, ...name.split('/'));
  const own = await files.look(file);
  const text = own.kind === 'file' ? (own.unsaved ?? (await files.decode(file, own.bytes))) : '';
  return linesIn(text ?? '');
}

function partsOf(file: ChangedFile, own: readonly string[]): readonly ChangePart[] {
  const { base, theirs, texts } = file;
  const [before, now] = [linesIn(texts?.before ?? ''), linesIn(texts?.now ?? '')];
  const hunks = hunksBetween(before, now);
  const isHere = base.kind === 'file' && theirs.kind === 'file';
  if (!isHere || hunks.length === 0 || base.isExecutable !== theirs.isExecutable) {
    const [added, removed] = countLines(hunks);
    return [{ file, hunk: undefined, added, removed, line: '', touchesOwn: false }];
  }
  const ours = hunksBetween(before, own);
  return hunks.map((hunk) => {
    const [added, removed] = countLines([hunk]);
    const shown = [
      ...now.slice(hunk.now.start - 1, hunk.now.end - 1),
      ...before.slice(hunk.before.start - 1, hunk.before.end - 1),
    ];
    const line = shown.find((each) => each.trim() !== '') ?? '';
    const touchesOwn = ours.some((one) => touches(one.before, hunk.before));
    return { file, hunk, added, removed, line, touchesOwn };
  });
}

/** What the user has chosen, by file. */
export function chosenOf(parts: readonly ChangePart[]): Chosen {
  const chosen = new Map<string, { file: ChangedFile; hunks: readonly Hunk[] | undefined }>();
  for (const { file, hunk } of parts) {
    const before = chosen.get(file.name)?.hunks ?? [];
    chosen.set(file.name, { file, hunks: hunk && [...before, hunk] });
  }
  return chosen;
}

/**
 * The file as the worktree would have it with nothing but what is chosen; `undefined` if it isn't any more what it was
 * when that was chosen. `path`: of the file in the workspace, whose encoding counts.
 */
export async function withChosen(
  { file, hunks }: { readonly file: ChangedFile; readonly hunks: readonly Hunk[] | undefined },
  now: { readonly base: Side; readonly theirs: Side },
  { path: target, files }: { readonly path: string; readonly files: ReviewFiles },
): Promise<Side | undefined> {
  const { base, theirs, texts } = file;
  if (!isSameSide(base, now.base) || !isSameSide(theirs, now.theirs)) {
    return undefined;
  }
  if (hunks === undefined || texts === undefined || theirs.kind !== 'file') {
    return theirs;
  }
  const lines = applyHunks(linesIn(texts.before), linesIn(texts.now), hunks);
  const bytes = await files.encode(target, lines.join(''), theirs.bytes);
  return { kind: 'file', bytes, isExecutable: theirs.isExecutable };
}
