import path from 'node:path';
import type { Repository } from '../../../model/places/repository';
import { mapAtOnce } from '../../../util/async';
import { linesIn } from '../../review/model/decisions/lines';
import { type Conflict, merge3 } from '../../review/model/decisions/merge3';
import type { Replacement, ReviewFiles } from '../../review/model/reviewFiles';
import { type Chosen, withChosen } from './changeParts';
import {
  inBase,
  inWorktree,
  isSameSide,
  type LeftChange,
  type LeftReason,
  readChanges,
  type Side,
  type WorktreeChange,
} from './worktreeChanges';
import type { WorktreeGit } from './worktreeGit';

/** A file of the other worktree as it would be after applying. */
export interface PlannedChange {
  /** Absolute. */
  readonly file: string;
  readonly name: string;
  readonly kind: 'modified' | 'added' | 'deleted';
  readonly replacement: Replacement;
  /** Whether the file had changes of its own, which stay. */
  readonly isMerged: boolean;
  /** What both have changed differently; both texts are in the file then, between marks. */
  readonly conflict: ConflictTexts | undefined;
}

export interface ConflictTexts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface ApplyPlan {
  readonly changes: readonly PlannedChange[];
  /** What stays as it is, and why. */
  readonly left: readonly LeftChange[];
}

/** The names of the two sides, in the marks around conflicts. */
export interface SideNames {
  readonly ours: string;
  readonly theirs: string;
}

const filesAtOnce = 4;

/**
 * Works out what the changes of a worktree since its base would make of the files of another one, including those
 * that aren't committed or saved there. Changes nothing. Rejects with `WorktreeTrouble`.
 */
export async function planApply(
  git: WorktreeGit,
  from: { readonly place: Repository; readonly base: string },
  to: {
    readonly top: string;
    readonly files: ReviewFiles;
    readonly names: SideNames;
    /** By default all. */
    readonly chosen?: Chosen;
  },
): Promise<ApplyPlan> {
  const all = await readChanges(git, from.place, from.base);
  const planned = await mapAtOnce(all.changes, filesAtOnce, (change) =>
    planOne({ git, place: from.place, change }, to),
  );
  const changes: PlannedChange[] = [];
  const left: LeftChange[] = to.chosen === undefined ? [...all.left] : [];
  planned.forEach((plan, index) => {
    if (typeof plan === 'string') {
      left.push({ name: all.changes[index]?.name ?? '', reason: plan });
    } else if (plan !== undefined) {
      changes.push(plan);
    }
  });
  return { changes, left };
}

interface Planning {
  readonly git: WorktreeGit;
  readonly place: Repository;
  readonly change: WorktreeChange;
}

/** `undefined`: there is nothing to do. */
async function planOne(
  { git, place, change }: Planning,
  { top, files, names, chosen }: Parameters<typeof planApply>[2],
): Promise<PlannedChange | LeftReason | undefined> {
  const { name } = change;
  const wanted = chosen?.get(name);
  if (chosen !== undefined && wanted === undefined) {
    return undefined;
  }
  const file = path.join(top, ...name.split('/'));
  const base = await inBase(git, place, change);
  const there = await inWorktree(place, name);
  const theirs = wanted
    ? await withChosen(wanted, { base, theirs: there }, { path: file, files })
    : there;
  if (theirs === undefined) {
    return 'changedSince';
  }
  const ours = await look(files, file);
  const strange = [theirs, base, ours].find((side) => side.kind === 'left');
  if (strange?.kind === 'left') {
    return strange.reason;
  }
  if (isSameSide(theirs, base) || isSameSide(theirs, ours)) {
    return undefined;
  }
  const plan = { file, name, isMerged: false, conflict: undefined };
  if (isSameSide(ours, base)) {
    const kind =
      theirs.kind === 'absent' ? 'deleted' : ours.kind === 'absent' ? 'added' : 'modified';
    return { ...plan, kind, replacement: getReplacement(file, ours, theirs) };
  }
  if (theirs.kind !== 'file' || ours.kind !== 'file') {
    return theirs.kind === 'absent' ? 'deletedThere' : 'deletedHere';
  }
  const merged = await merge({ file, base, ours, theirs }, files, names);
  if (merged === undefined) {
    return 'binary';
  }
  // Theirs counts if they changed it; base and ours are the same otherwise.
  const wasExecutable = base.kind === 'file' && base.isExecutable;
  const changed = theirs.isExecutable === wasExecutable ? ours : theirs;
  const { isExecutable } = changed;
  const whole = { kind: 'file', bytes: merged.bytes, isExecutable } as const;
  if (isSameSide(whole, ours)) {
    return undefined;
  }
  const replacement = getReplacement(file, ours, whole);
  return { ...plan, kind: 'modified', replacement, isMerged: true, conflict: merged.conflict };
}

interface Sides {
  readonly file: string;
  readonly base: Side;
  readonly ours: Extract<Side, { kind: 'file' }>;
  readonly theirs: Extract<Side, { kind: 'file' }>;
}

/** `undefined`: not all of them are texts. */
async function merge(
  { file, base, ours, theirs }: Sides,
  files: ReviewFiles,
  names: SideNames,
): Promise<
  { readonly bytes: Uint8Array; readonly conflict: ConflictTexts | undefined } | undefined
> {
  const decode = (side: Side): Promise<string | undefined> =>
    side.kind === 'file' ? files.decode(file, side.bytes) : Promise.resolve('');
  const [before, own, other] = await Promise.all([base, ours, theirs].map(decode));
  if (before === undefined || own === undefined || other === undefined) {
    return undefined;
  }
  const texts = [before, own, other].map(linesIn);
  const [baseLines = [], ourLines = [], theirLines = []] = texts;
  const { lines, conflicts } = merge3(baseLines, ourLines, theirLines, (conflict) =>
    marked(conflict, names),
  );
  const bytes = await files.encode(file, lines.join(''), ours.bytes);
  const conflict = conflicts > 0 ? { base: before, ours: own, theirs: other } : undefined;
  return { bytes, conflict };
}

/** Marks a conflict as Git does, so that VS Code offers to resolve it. */
function marked({ ours, theirs }: Conflict, names: SideNames): readonly string[] {
  const end = /\r\n$/.test(ours[0] ?? theirs[0] ?? '') ? '\r\n' : '\n';
  const closed = (line: string): string => (/[\r\n]$/.test(line) ? line : `${line}${end}`);
  return [
    `<<<<<<< ${names.ours}${end}`,
    ...ours.map(closed),
    `=======${end}`,
    ...theirs.map(closed),
    `>>>>>>> ${names.theirs}${end}`,
  ];
}

/** Reads a file, with what the user hasn't saved yet. */
async function look(files: ReviewFiles, file: string): Promise<Side> {
  const now = await files.look(file);
  if (now.kind === 'untouchable') {
    return { kind: 'left', reason: now.reason === 'notAFile' ? 'link' : now.reason };
  }
  if (now.kind === 'absent') {
    return now;
  }
  const { kind, isExecutable, unsaved } = now;
  const bytes = unsaved === undefined ? now.bytes : await files.encode(file, unsaved, now.bytes);
  return { kind, bytes, isExecutable };
}

function getReplacement(file: string, ours: Side, theirs: Side): Replacement {
  const findBytes = (side: Side): Uint8Array | undefined =>
    side.kind === 'file' ? side.bytes : undefined;
  return {
    file,
    expected: findBytes(ours),
    wanted: findBytes(theirs),
    ...(theirs.kind === 'file' && { isExecutable: theirs.isExecutable }),
  };
}

/**
 * Changes the files as planned, those that are still as they were then, after a question about those that would be
 * deleted for good; returns what was left.
 */
export async function apply(
  files: ReviewFiles,
  changes: readonly PlannedChange[],
): Promise<readonly LeftChange[]> {
  const names = new Map(changes.map(({ file, name }) => [file, name]));
  const deleted = changes.filter(({ kind }) => kind === 'deleted');
  const how =
    deleted.length === 0 ? 'toTrash' : await files.howToDelete(deleted.map(({ file }) => file));
  const stays = ({ kind }: PlannedChange): boolean => how === 'declined' && kind === 'deleted';
  const left = await files.replace(
    changes
      .filter((change) => !stays(change))
      .map(({ replacement }) => ({ ...replacement, forGood: how === 'forGood' })),
    () => undefined,
  );
  return [
    ...changes.filter(stays).map(({ name }): LeftChange => ({ name, reason: 'declined' })),
    ...left.map(({ file, reason }) => ({ name: names.get(file) ?? file, reason })),
  ];
}
