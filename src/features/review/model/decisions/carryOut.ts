import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { mapAtOnce } from '../../../../util/async';
import type { Contents } from '../record/contents';
import { isContent, isExecutable } from '../record/contents';
import type { FileState } from '../record/fileState';
import type { ChangedFile, IntentLine, TurnLine } from '../record/journalLines';
import { filesPerLine, type SessionRecord } from '../record/sessionRecord';
import type { LeftAlone, Outcome } from '../review';
import type { NotReplaced, Replacement, ReviewFiles } from '../reviewFiles';

/** Identifies this window's decisions; process ids are used again. */
const thisWindow = randomUUID();
/** A decision takes seconds; after that, its process id belongs to another program. */
const maxDecisionMs = 10 * 60_000;
/** Files whose contents are read at the same time. */
const contentsAtOnce = 8;

/** Time after which a turn's process id belongs to another program, too. */
const maxTurnMs = 24 * 60 * 60_000;

/** Whether another window's agent may be changing files at this moment. */
export function runsElsewhere({ pid, began }: TurnLine, now: number): boolean {
  return pid !== process.pid && now - began <= maxTurnMs && isRunning(pid);
}

/** Whether the window that began this is gone, so that nobody will end it. */
export function isAbandoned({ pid, window, at }: IntentLine, now: number): boolean {
  if (pid === process.pid) {
    return window !== thisWindow;
  }
  return now - at > maxDecisionMs || !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Changes files as decided, after the user was asked about those that would be deleted for good. Everything that is replaced or put there is stored before, together with
 * the intention; what was done is recorded afterwards.
 */
export async function carryOut(
  record: SessionRecord,
  files: ReviewFiles,
  what: IntentLine['what'],
  changes: readonly ChangedFile[],
): Promise<Outcome> {
  const group = randomUUID();
  const decided: string[] = [];
  const { declined, forGood } = await askToDelete(files, changes);
  const agreed = changes.filter(({ file }) => !declined.has(file));
  const leftAlone: LeftAlone[] = [...declined].map(leftByUser);
  for (let from = 0; from < agreed.length; from += filesPerLine) {
    const part = agreed.slice(from, from + filesPerLine);
    const outcome = await carryOutPart(record, files, { what, group, changes: part, forGood });
    decided.push(...outcome.decided);
    leftAlone.push(...outcome.leftAlone);
  }
  const canBeTakenBack = decided.length > 0 && what !== 'unrestore';
  return { decided, leftAlone, ...(canBeTakenBack && { decision: group }) };
}

/** What the user said to files that would be deleted. */
export interface DeletionAnswer {
  /** The files that the user left out: they stay, and so does what would be moved in their place. */
  readonly declined: ReadonlySet<string>;
  readonly forGood: boolean;
}

/** Asks about the files that would be deleted, if they can't go to a trash. */
export async function askToDelete(
  files: Pick<ReviewFiles, 'howToDelete'>,
  changes: readonly Pick<ChangedFile, 'file' | 'from' | 'to' | 'goesTo'>[],
): Promise<DeletionAnswer> {
  const deleted = changes.filter(({ from, to }) => from.kind !== 'absent' && to.kind === 'absent');
  const how =
    deleted.length === 0 ? 'toTrash' : await files.howToDelete(deleted.map(({ file }) => file));
  const stay =
    how === 'declined'
      ? deleted.flatMap(({ file, goesTo }) => (goesTo === undefined ? [file] : [file, goesTo]))
      : [];
  return { declined: new Set(stay), forGood: how === 'forGood' };
}

export function leftByUser(file: string): LeftAlone {
  return { file, reason: 'declined' };
}

interface Part {
  readonly what: IntentLine['what'];
  readonly group: string;
  readonly changes: readonly ChangedFile[];
  /** Whether the user has agreed that files are deleted without going to a trash. */
  readonly forGood: boolean;
}

async function carryOutPart(
  record: SessionRecord,
  files: ReviewFiles,
  { what, group, changes, forGood }: Part,
): Promise<Outcome> {
  const ready: Ready[] = [];
  const leftAlone: LeftAlone[] = [];
  const replacements = await mapAtOnce(changes, contentsAtOnce, (change) =>
    findReplacement(record.contents, change, change.from, change.to),
  );
  for (const [index, change] of changes.entries()) {
    const replacement = replacements[index];
    if (replacement === undefined) {
      leftAlone.push({ file: change.file, reason: 'unkept' });
    } else {
      ready.push({ change, replacement: { ...replacement, forGood } });
    }
  }
  if (ready.length === 0) {
    return { decided: [], leftAlone };
  }
  const id = randomUUID();
  const intent = { id, what, group, pid: process.pid, window: thisWindow, at: Date.now() };
  const wasWritten = await record.append([
    { type: 'intent', ...intent, files: ready.map(({ change }) => change) },
  ]);
  if (!wasWritten) {
    const detail = 'The record is full';
    return {
      decided: [],
      leftAlone: changes.map(({ file }) => ({ file, reason: 'failed', detail })),
    };
  }
  const replaced = await replace(files, ready);
  const changed = ready.flatMap(({ change }, index) =>
    replaced.done.has(change.file) ? [index] : [],
  );
  await record.append([{ type: 'done', id, at: Date.now(), changed }]);
  const left = new Set(replaced.left.map(({ file }) => file));
  const decided = ready.map(({ change }) => change.file).filter((file) => !left.has(file));
  return { decided, leftAlone: [...leftAlone, ...replaced.left] };
}

/** `undefined` if one of the contents isn't there. */
export async function findReplacement(
  contents: Contents,
  { file }: ChangedFile,
  from: FileState,
  to: FileState,
): Promise<Replacement | undefined> {
  const [expected, wanted] = await Promise.all([from, to].map((state) => contents.bytes(state)));
  const isThere = (state: FileState, bytes: Uint8Array | undefined): boolean =>
    state.kind === 'absent' || bytes !== undefined;
  return isThere(from, expected) && isThere(to, wanted)
    ? { file, expected, wanted, ...(to.kind === 'file' && { isExecutable: isExecutable(to) }) }
    : undefined;
}

export interface Ready {
  readonly change: ChangedFile;
  readonly replacement: Replacement;
}

/** A moved file isn't deleted before it is at its other path. */
export async function replace(files: ReviewFiles, all: readonly Ready[]): Promise<Replaced> {
  const done = new Set<string>();
  const onDone = (file: string): void => void done.add(file);
  const isSecond = ({ change, replacement }: Ready): boolean =>
    change.goesTo !== undefined && replacement.wanted === undefined;
  const first = all.filter((it) => !isSecond(it)).map(({ replacement }) => replacement);
  const left = first.length > 0 ? [...(await files.replace(first, onDone))] : [];
  const failed = new Map(left.map((it) => [it.file, it] as const));
  const second: Replacement[] = [];
  for (const { change, replacement } of all.filter(isSecond)) {
    const why = failed.get(change.goesTo ?? '');
    if (why === undefined) {
      second.push(replacement);
    } else {
      left.push({ ...why, file: change.file });
    }
  }
  if (second.length > 0) {
    left.push(...(await files.replace(second, onDone)));
  }
  return { done, left };
}

export interface Replaced {
  readonly done: ReadonlySet<string>;
  readonly left: readonly NotReplaced[];
}

/**
 * How far an abandoned change of a file came: `from`: not begun; `to`: done; `torn`: the write was
 * cut off; `unsaved`: it is in the file's document only; `other`: something else has changed it.
 */
export async function getProgress(
  files: ReviewFiles,
  contents: Contents,
  { file, from, to }: ChangedFile,
): Promise<Progress> {
  const now = await files.look(file);
  if (now.kind === 'untouchable') {
    return { kind: 'other' };
  }
  const bytes = now.kind === 'file' ? now.bytes : undefined;
  if (isContent(to, bytes)) {
    return { kind: 'to' };
  }
  if (isContent(from, bytes)) {
    const text = now.kind === 'file' ? now.unsaved : undefined;
    const wanted = text === undefined ? undefined : await contents.bytes(to);
    if (bytes === undefined || text === undefined || wanted === undefined) {
      return { kind: 'from' };
    }
    const isEdited = isContent(to, await files.encode(file, text, wanted));
    return isEdited ? { kind: 'unsaved', bytes, leftUnsaved: wanted } : { kind: 'from' };
  }
  if (bytes === undefined) {
    return { kind: 'other' };
  }
  const ends = await Promise.all([contents.bytes(to), contents.bytes(from)]);
  const isTorn = ends.some((end) => end !== undefined && isBeginning(bytes, end));
  return isTorn ? { kind: 'torn', bytes } : { kind: 'other' };
}

interface Progress {
  readonly kind: 'from' | 'to' | 'torn' | 'unsaved' | 'other';
  /** The bytes on the disk. */
  readonly bytes?: Uint8Array;
  readonly leftUnsaved?: Uint8Array;
}

function isBeginning(bytes: Uint8Array, whole: Uint8Array): boolean {
  return (
    bytes.length < whole.length && Buffer.compare(bytes, whole.subarray(0, bytes.length)) === 0
  );
}
