import { absent, type FileState, isSameState } from '../record/fileState';
import type { ChangedFile } from '../record/journalLines';
import type { SessionRecord } from '../record/sessionRecord';
import type { LeftAlone, Outcome } from '../review';
import type { FileNow, ReviewFiles } from '../reviewFiles';
import { carryOut } from './carryOut';

/** A file without what is uncertain in it. */
type WithoutUncertain = { readonly state: FileState } | Left;

/** Why it stays as it is. */
type Left = Omit<LeftAlone, 'file'>;

/** This state of a file without what is uncertain in it; whatever was changed since stays. */
async function withoutUncertain(
  { contents, state }: SessionRecord,
  file: string,
  now: FileState,
): Promise<WithoutUncertain> {
  let wanted = now;
  for (const { before, after } of state.uncertain.of(file).toReversed()) {
    if ([before, after].some(({ kind }) => kind === 'unkept')) {
      return { reason: 'unkept' };
    }
    const merged = await contents.merge(file, [after, wanted, before]);
    if (merged.conflicts > 0) {
      return { reason: 'changedSince' };
    }
    wanted = merged.state;
  }
  return { state: wanted };
}

/** How a file is now; what the record knows of it must be so already. */
async function stateNow(
  { contents, state }: SessionRecord,
  files: ReviewFiles,
  file: string,
): Promise<WithoutUncertain> {
  const found = state.files.get(file);
  if (found !== undefined) {
    return { state: found.seen };
  }
  const now: FileNow = await files.look(file);
  switch (now.kind) {
    case 'untouchable':
      return { reason: 'failed', detail: now.reason };
    case 'absent':
      return { state: absent };
    case 'file':
      return now.unsaved === undefined
        ? { state: await contents.add(now.bytes, now.isExecutable) }
        : { reason: 'dirty' };
  }
}

/** What takes back the uncertain changes of a file; `undefined`: it is so already. */
async function undoneUncertain(
  record: SessionRecord,
  files: ReviewFiles,
  file: string,
): Promise<ChangedFile | Left | undefined> {
  const now = await stateNow(record, files, file);
  if ('reason' in now) {
    return now;
  }
  const wanted = await withoutUncertain(record, file, now.state);
  if ('reason' in wanted) {
    return wanted;
  }
  if (isSameState(now.state, wanted.state)) {
    return undefined;
  }
  const found = record.state.files.get(file);
  const base = found === undefined ? wanted : await withoutUncertain(record, file, found.base);
  if ('reason' in base) {
    return { reason: 'mixed' };
  }
  const described = await record.describe({
    ...{ file, seen: wanted.state, base: base.state, turns: found?.turns ?? [] },
    ...{ movedFrom: found?.movedFrom, isOutside: false, isMixed: found?.isMixed === true },
  });
  const was = [found?.seen ?? absent, found?.base ?? absent] as const;
  return { ...described, was, of: [], from: now.state, to: wanted.state };
}

export interface UncertainParts {
  readonly record: SessionRecord;
  readonly files: ReviewFiles;
  /** Records what the user has changed in a file; the reason if it has to be left alone. */
  readonly meetDisk: (file: string) => Promise<LeftAlone | undefined>;
}

/** Decides about changes that may be another session's, file by file as the user has chosen them. */
export class UncertainDecisions {
  readonly #parts: UncertainParts;

  constructor(parts: UncertainParts) {
    this.#parts = parts;
  }

  /** Keeps uncertain changes: they stay in the files, and aren't offered any more. */
  async keep(files: readonly string[]): Promise<Outcome> {
    await this.#settle(files);
    return { decided: files, leftAlone: [] };
  }

  async undo(wanted: readonly string[]): Promise<Outcome> {
    const { record, files, meetDisk } = this.#parts;
    const changes: ChangedFile[] = [];
    const leftAlone: LeftAlone[] = [];
    const done: string[] = [];
    for (const file of wanted) {
      const change = (await meetDisk(file)) ?? (await undoneUncertain(record, files, file));
      if (change === undefined) {
        done.push(file);
      } else if ('to' in change) {
        changes.push(change);
      } else {
        leftAlone.push({ ...change, file });
      }
    }
    const outcome = await carryOut(record, files, 'undo', changes);
    const decided = [...done, ...outcome.decided];
    await this.#settle(decided);
    return { ...outcome, decided, leftAlone: [...leftAlone, ...outcome.leftAlone] };
  }

  /** What isn't in these files any more isn't offered any more: it was undone in another session, or by the user. */
  async settleUndone(files: readonly string[]): Promise<void> {
    const { record, meetDisk } = this.#parts;
    const undone: string[] = [];
    for (const file of files) {
      if (record.state.uncertain.of(file).length > 0 && (await meetDisk(file)) === undefined) {
        const change = await undoneUncertain(record, this.#parts.files, file);
        undone.push(...(change === undefined ? [file] : []));
      }
    }
    await this.#settle(undone);
  }

  /** The text of a file without what is uncertain in it; if that can't be told any more, from before that. */
  async certainText(file: string): Promise<string | null | undefined> {
    const { record, files } = this.#parts;
    const now = await stateNow(record, files, file);
    const certain = 'reason' in now ? now : await withoutUncertain(record, file, now.state);
    const [first] = record.state.uncertain.of(file);
    const shown = 'reason' in certain ? first?.before : certain.state;
    return shown && record.contents.text(file, shown);
  }

  async #settle(files: readonly string[]): Promise<void> {
    const { record } = this.#parts;
    const changes = files.flatMap((file) => record.state.uncertain.of(file));
    await record.settle(changes.map(({ id, file }) => ({ id, file })));
  }
}
