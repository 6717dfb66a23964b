import type {
  PendingFile,
  TurnReview,
  TurnStart,
  UncertainTurn,
  UnrecordedTurn,
} from '../../../model/changes/reviews';
import { inSequence, mapAtOnce } from '../../../util/async';
import type { Disposable } from '../../../util/disposable';
import type { Event } from '../../../util/emitter';
import { carryOut, runsElsewhere } from './decisions/carryOut';
import { DecisionPlanner, type SeenText } from './decisions/decisionPlanner';
import { hunksBetween, linesIn, rangeNow } from './decisions/lines';
import { merge3 } from './decisions/merge3';
import { RestorePlanner } from './decisions/restorePlanner';
import { TakingBack } from './decisions/takingBack';
import { UncertainDecisions } from './decisions/uncertainDecisions';
import { withoutTurns } from './decisions/withoutTurns';
import { isContent } from './record/contents';
import { absent } from './record/fileState';
import type { ChangedFile, DecidedFile } from './record/journalLines';
import { type FileRecord, isPending, matches } from './record/recordState';
import { filesPerLine, type SessionRecord } from './record/sessionRecord';
import type {
  Hunk,
  LastDecision,
  LeftAlone,
  Outcome,
  PlannedFile,
  RestorePlan,
  Selection,
  SessionReview,
  TakeBackPlan,
  TurnFile,
  TurnSide,
  UncertainFile,
} from './review';
import type { FileNow, ReviewFiles } from './reviewFiles';
import { filesOfTurn, textOfTurn } from './turnFiles';

/** The turn that runs in this window. */
export interface RunningTurn {
  readonly isRunning: boolean;
  /** Records what has changed up to now. */
  refresh(): Promise<void>;
}

/** Files that are looked at at the same time. */
const looksAtOnce = 8;
const textForms: readonly PendingFile['form'][] = ['text'];

/** The review of one session, from its record and the files as they are. */
export class RecordedReview implements SessionReview, Disposable {
  readonly #record: SessionRecord;
  readonly #files: ReviewFiles;
  readonly #planner: DecisionPlanner;
  readonly #restorePlanner: RestorePlanner;
  readonly #takingBack: TakingBack;
  readonly #uncertain: UncertainDecisions;
  readonly #plans = new WeakMap<RestorePlan, readonly ChangedFile[]>();
  readonly #one = inSequence();
  readonly onDidChange: Event<void>;
  #isDisposed = false;
  /** Set while this window records the session. */
  running: RunningTurn | undefined;

  constructor(record: SessionRecord, files: ReviewFiles) {
    this.#record = record;
    this.#files = files;
    this.#planner = new DecisionPlanner(record);
    this.#restorePlanner = new RestorePlanner(record, this.#planner);
    const meetDisk = (file: string): Promise<LeftAlone | undefined> => this.#meetDisk(file);
    this.#takingBack = new TakingBack({ record, files, planner: this.#restorePlanner, meetDisk });
    this.#uncertain = new UncertainDecisions({ record, files, meetDisk });
    this.onDidChange = record.onDidChange;
  }

  get agentId(): string {
    return this.#record.agentId;
  }

  get sessionId(): string {
    return this.#record.sessionId;
  }

  get pending(): readonly PendingFile[] {
    return this.#record.state.pending;
  }

  get uncertain(): readonly UncertainFile[] {
    return this.#record.state.uncertain.shown;
  }

  get uncertainTurns(): readonly UncertainTurn[] {
    return this.#record.state.uncertainTurns;
  }

  get turns(): readonly TurnReview[] {
    return this.#record.state.turns;
  }

  get unrecorded(): readonly UnrecordedTurn[] {
    return this.#record.state.unrecorded;
  }

  get quietTurns(): readonly TurnStart[] {
    return this.#record.state.quietTurns;
  }

  /** When something last changed, in ms since the epoch. */
  get changedAt(): number {
    return this.#record.state.changedAt;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  async refresh(): Promise<void> {
    await this.running?.refresh();
    await this.#record.catchUp();
  }

  async #readAll(): Promise<void> {
    await this.refresh();
    await this.#record.readPast();
  }

  /** Runs `work` apart from all decisions. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#one(work);
  }

  async baseline(file: string, since?: number): Promise<string | null | undefined> {
    const found = this.#record.state.files.get(file);
    if (found === undefined) {
      return undefined;
    }
    const { contents } = this.#record;
    if (since === undefined || !isPending(found)) {
      return contents.text(found.movedFrom ?? file, found.base);
    }
    await this.#record.readPast();
    const turns = { from: since, to: Number.MAX_SAFE_INTEGER };
    return contents.text(file, (await withoutTurns(contents, found, turns)).state);
  }

  certainText(file: string): Promise<string | null | undefined> {
    return this.#uncertain.certainText(file);
  }

  async getFiles(turn: number, most: number): Promise<readonly TurnFile[]> {
    await this.#record.readPast();
    return filesOfTurn(this.#record, this.#files, turn, most);
  }

  async findText(turn: number, file: string, side: TurnSide): Promise<string | null | undefined> {
    await this.#record.readPast();
    return textOfTurn(this.#record, turn, file, side);
  }

  async hunks(file: string, now: string): Promise<readonly Hunk[]> {
    const found = this.#record.state.files.get(file);
    if (found === undefined || !isPending(found) || !textForms.includes(found.form)) {
      return [];
    }
    const { contents } = this.#record;
    const base = await contents.lines(file, found.base);
    const seen = await contents.lines(file, found.seen);
    if (base === undefined || seen === undefined) {
      return [];
    }
    const lines = linesIn(now);
    const same = lines.length === seen.length && lines.every((it, at) => isLine(it, seen[at]));
    if (same) {
      return hunksBetween(base, seen);
    }
    // What the user has typed isn't pending.
    const merged = merge3(seen, base, lines, 'ours').lines;
    const back = hunksBetween(merged, base);
    return hunksBetween(merged, lines).map((hunk) => ({
      before: rangeNow(back, hunk.before),
      now: hunk.now,
    }));
  }

  keep(selection: Selection): Promise<Outcome> {
    return this.#one(() => this.#keep(selection));
  }

  undo(selection: Selection): Promise<Outcome> {
    return this.#one(() => this.#undo(selection));
  }

  settleUndone(files = this.uncertain.map(({ file }) => file)): Promise<void> {
    return this.#one(async () => {
      if (!this.#isDisposed) {
        await this.refresh();
        await this.#uncertain.settleUndone(files);
      }
    });
  }

  planRestore(turn: number): Promise<RestorePlan> {
    return this.#one(() => this.#planRestore(turn));
  }

  restore(plan: RestorePlan): Promise<Outcome> {
    return this.#one(() => this.#restore(plan));
  }

  get lastDecision(): LastDecision | undefined {
    return this.#record.state.lastDecision;
  }

  planTakeBack(): Promise<TakeBackPlan | undefined> {
    return this.#one(async () => {
      await this.#readAll();
      return this.#takingBack.plan();
    });
  }

  takeBack(decision?: TakeBackPlan | string): Promise<Outcome> {
    return this.#one(async () => {
      await this.#readAll();
      return this.#takingBack.carryOut(decision);
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#record.dispose();
  }

  async #keep(selection: Selection): Promise<Outcome> {
    await this.#readAll();
    if (selection.type === 'uncertain') {
      return this.#uncertain.keep(selection.files);
    }
    const kept: DecidedFile[] = [];
    const leftAlone: LeftAlone[] = [];
    for (const { file } of this.#selected(selection)) {
      const reason = selection.type === 'lines' ? await this.#meetDisk(file) : undefined;
      const found = this.#record.state.files.get(file);
      if (reason !== undefined) {
        leftAlone.push(reason);
      } else if (found !== undefined && isPending(found)) {
        const text = await this.#shownText(found, selection);
        const { files, left } = await this.#planner.planKeep(found, selection, text);
        kept.push(...files);
        leftAlone.push(...(left === undefined ? [] : [{ file, reason: left }]));
      }
    }
    for (let from = 0; from < kept.length; from += filesPerLine) {
      const files = kept.slice(from, from + filesPerLine);
      await this.#record.append([{ type: 'keep', at: Date.now(), files }]);
    }
    const isDone = ({ file, seen, base }: DecidedFile): boolean => {
      const now = this.#record.state.files.get(file);
      return now !== undefined && matches(now.base, base) && matches(now.seen, seen);
    };
    const lost = kept.filter((file) => !isDone(file));
    return {
      decided: kept.filter(isDone).map(({ file }) => file),
      leftAlone: [...leftAlone, ...lost.map(({ file }) => overtaken(file))],
    };
  }

  async #undo(selection: Selection): Promise<Outcome> {
    await this.#readAll();
    if (selection.type === 'uncertain') {
      return this.#uncertain.undo(selection.files);
    }
    const changes: ChangedFile[] = [];
    const leftAlone: LeftAlone[] = [];
    const selected = this.#selected(selection);
    const reasons = await mapAtOnce(
      selected,
      looksAtOnce,
      async ({ file, movedFrom }) =>
        (await this.#meetDisk(file)) ?? this.#mustBeFree(movedFrom, file),
    );
    for (const [index, { file, isMixed }] of selected.entries()) {
      const reason = reasons[index];
      const found = this.#record.state.files.get(file);
      if (reason !== undefined) {
        leftAlone.push(reason);
      } else if (found?.isMixed && !isMixed) {
        // It has only just become mixed, so the user wasn't asked.
        leftAlone.push({ file, reason: 'mixed' });
      } else if (found !== undefined && isPending(found)) {
        const text = await this.#shownText(found, selection);
        const { files, left } = await this.#planner.planUndo(found, selection, text);
        changes.push(...files);
        leftAlone.push(...(left === undefined ? [] : [{ file, reason: left }]));
      }
    }
    const outcome = await carryOut(this.#record, this.#files, 'undo', changes);
    return { ...outcome, leftAlone: [...leftAlone, ...outcome.leftAlone] };
  }

  async #planRestore(turn: number): Promise<RestorePlan> {
    await this.#readAll();
    const files: PlannedFile[] = [];
    const leftAlone: LeftAlone[] = [];
    const changes: ChangedFile[] = [];
    for (const { file } of this.#restorePlanner.findFiles(turn)) {
      const reason = await this.#meetDisk(file);
      const found = this.#record.state.files.get(file);
      const planned =
        found === undefined || reason !== undefined
          ? undefined
          : await this.#restorePlanner.planRestore(found, turn);
      if (reason !== undefined) {
        leftAlone.push(reason);
      } else if (planned !== undefined && 'left' in planned) {
        leftAlone.push({ file, reason: planned.left });
      } else if (planned !== undefined) {
        const taken = await this.#mustBeFree(planned.shown.file, file);
        if (taken === undefined) {
          files.push(planned.shown);
          changes.push(...planned.files);
        } else {
          leftAlone.push(taken);
        }
      }
    }
    const plan = { turn, files, leftAlone };
    this.#plans.set(plan, changes);
    return plan;
  }

  async #restore(plan: RestorePlan): Promise<Outcome> {
    await this.#readAll();
    const left: LeftAlone[] = [];
    const changes: ChangedFile[] = [];
    for (const change of this.#plans.get(plan) ?? []) {
      const now = this.#record.state.files.get(change.file);
      const [seen, base] = change.was;
      if (matches(now?.seen ?? absent, seen) && matches(now?.base ?? absent, base)) {
        changes.push(change);
      } else {
        left.push(overtaken(change.file));
      }
    }
    const outcome = await carryOut(this.#record, this.#files, 'restore', changes);
    const leftAlone = [...plan.leftAlone, ...left, ...outcome.leftAlone];
    return { ...outcome, leftAlone };
  }

  #selected(selection: Selection): readonly FileRecord[] {
    const { state } = this.#record;
    const all = state.pending.flatMap(({ file }) => state.files.get(file) ?? []);
    switch (selection.type) {
      case 'all':
        return all.filter(({ file }) => selection.files?.includes(file) !== false);
      case 'files':
        return all.filter(({ file }) => selection.files.includes(file));
      case 'turn':
        return all.filter(
          ({ file, turns }) =>
            turns.includes(selection.turn) && selection.files?.includes(file) !== false,
        );
      case 'lines':
        return all.filter(({ file }) => file === selection.file);
      case 'uncertain':
        return [];
    }
  }

  /**
   * What differs from the record was changed by the user, and is recorded as theirs. While a turn
   * runs, here or in another window, it can be the agent's, too: then the file is left alone.
   */
  async #meetDisk(file: string): Promise<LeftAlone | undefined> {
    const found = this.#record.state.files.get(file);
    if (found === undefined || found.isOutside || found.form === 'unkept') {
      return undefined;
    }
    const now = await this.#files.look(file);
    if (now.kind === 'untouchable') {
      return { file, reason: 'failed', detail: now.reason };
    }
    if (isContent(found.seen, now.kind === 'file' ? now.bytes : undefined)) {
      return undefined;
    }
    const { contents, state } = this.#record;
    const turn = state.openTurn;
    if (
      this.#isDisposed ||
      this.running?.isRunning ||
      (turn !== undefined && runsElsewhere(turn, Date.now()))
    ) {
      return overtaken(file);
    }
    const after = now.kind === 'file' ? await contents.add(now.bytes, now.isExecutable) : absent;
    const origin = { by: 'user', source: 'review', turn: state.lastTurn } as const;
    await this.#record.addSteps(origin, [{ file, before: found.seen, after }]);
    return undefined;
  }

  /** The path to which a file goes back. */
  async #mustBeFree(path: string | undefined, file: string): Promise<LeftAlone | undefined> {
    return path === undefined || path === file || (await this.#files.look(path)).kind === 'absent'
      ? undefined
      : { ...overtaken(file), detail: path };
  }

  /** The text of a file that is decided by its lines. */
  async #shownText(file: FileRecord, { type }: Selection): Promise<SeenText | undefined> {
    if (type !== 'lines' || file.form !== 'text') {
      return undefined;
    }
    const now: FileNow = await this.#files.look(file.file);
    const stored =
      now.kind === 'file'
        ? await this.#record.contents.exactText(file.file, now.bytes)
        : now.kind === 'absent'
          ? ''
          : undefined;
    const isSeen =
      now.kind !== 'untouchable' &&
      isContent(file.seen, now.kind === 'file' ? now.bytes : undefined);
    if (stored === undefined || !isSeen) {
      return undefined;
    }
    return { stored, shown: (now.kind === 'file' ? now.unsaved : undefined) ?? stored };
  }
}

/** Editors show one kind of line ends. */
function isLine(one: string, other: string | undefined): boolean {
  return other !== undefined && one.replace(/[\r\n]+$/, '') === other.replace(/[\r\n]+$/, '');
}

function overtaken(file: string): LeftAlone {
  return { file, reason: 'changedSince' };
}
