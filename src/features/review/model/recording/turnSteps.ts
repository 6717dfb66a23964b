import type { Evidence } from '../atWork/evidence';
import type { Span } from '../atWork/work';
import type { StepSource } from '../record/journalLines';
import { matches } from '../record/recordState';
import type { Change, SessionRecord } from '../record/sessionRecord';
import type { Share } from './attribution';
import { withParts } from './explained';
import { maxReports } from './reports';
import { UnsettledChanges } from './unsettledChanges';

/** Changes that the same one has made. */
interface Part {
  readonly by: Share['by'];
  readonly source: StepSource;
  readonly changes: readonly Change[];
}

/** What this turn knows of a file. */
interface Touched {
  /** Whether a step of it was recorded in this turn. */
  readonly isRecorded: boolean;
  readonly untold: readonly Untold[];
}

/** A save of the user that isn't recorded. */
type Untold = Change & { readonly at: number };

/** The turn whose steps are recorded. */
interface TurnStepsHost {
  /** The turn's number. */
  turn(): number;
  /** `undefined` before the session's folders are known. */
  evidence(): Evidence | undefined;
  isWithin(file: string): boolean;
  /** No more fits into the record. */
  full(): Promise<void>;
}

/** Records the changes of one turn, and knows of which files it has. */
export class TurnSteps {
  readonly #host: TurnStepsHost;
  readonly #touched = new Map<string, Touched>();
  readonly unsettled = new UnsettledChanges();

  constructor(host: TurnStepsHost) {
    this.#host = host;
  }

  /** Whether a step of the file was recorded in this turn. */
  has(file: string): boolean {
    return this.#touched.get(file)?.isRecorded === true;
  }

  /** The user's saves of a file, which matter only if an agent changes it, too. */
  untold(file: string): readonly Untold[] {
    return this.#touched.get(file)?.untold ?? [];
  }

  remember(save: Untold): void {
    if (this.#touched.size < maxReports) {
      this.#touched.set(save.file, {
        isRecorded: false,
        untold: [...this.untold(save.file), save],
      });
    }
  }

  /** Adds steps in their order, those of the same one together. */
  async add(
    record: SessionRecord,
    all: readonly Share[],
    source: StepSource,
    span: Span,
  ): Promise<void> {
    const evidence = this.#host.evidence();
    const shares =
      source === 'checkpoint' && evidence ? await withParts(record, all, evidence, span) : all;
    for (let from = 0; from < shares.length; ) {
      const by = shares[from]?.by ?? 'agent';
      const next = shares.findIndex((share, index) => index > from && share.by !== by);
      const end = next === -1 ? shares.length : next;
      const changes = shares.slice(from, end).map(({ change }) => ({
        ...change,
        ...(!this.#host.isWithin(change.file) && { isOutside: true }),
      }));
      if (by === 'agent' || by === 'user') {
        await this.add(record, this.#othersBefore(record, changes, span), source, span);
      }
      await this.#addSteps(record, { by, source, changes }, span);
      from = end;
    }
  }

  async #addSteps(record: SessionRecord, { by, source, changes }: Part, span: Span): Promise<void> {
    const turn = this.#host.turn();
    const isSince = changes.every(({ file }) => this.has(file));
    const unknownBy = isSince ? 'agent' : 'user';
    // What may be another one's isn't offered with this session's changes of the file.
    const isUncertain = by === 'uncertain';
    const wasAdded =
      (!isUncertain || (await this.#addUncertain(record, changes, span))) &&
      (await record.addSteps({ by: isUncertain ? 'other' : by, source, turn, unknownBy }, changes));
    if (!wasAdded) {
      await this.#host.full();
    }
    for (const { file } of changes) {
      this.#touched.set(file, { isRecorded: record.state.files.has(file), untold: [] });
    }
    if (by === 'agent' && source !== 'write') {
      const files = changes.map(({ file }) => file);
      this.#host.evidence()?.changed(files, 'seen', span);
    }
  }

  #addUncertain(record: SessionRecord, changes: readonly Change[], span: Span): Promise<boolean> {
    const all = changes.map((change) => ({
      change,
      beside: this.#host.evidence()?.beside(change.file, span) ?? [],
    }));
    return this.unsettled.add(record, this.#host.turn(), all, span);
  }

  /**
   * The edits that others made, before these changes, to files that this session's agent had already changed in the
   * turn.
   */
  #othersBefore(record: SessionRecord, changes: readonly Change[], { to }: Span): readonly Share[] {
    return changes.flatMap(({ file, movedFrom, before }): readonly Share[] => {
      const path = movedFrom ?? file;
      const old = record.state.files.get(path);
      const isGap = old !== undefined && !matches(old.seen, before);
      if (!isGap || !this.has(path)) {
        return [];
      }
      const change = { file: path, before: old.seen, after: before };
      const by = this.#host.evidence()?.whose(change, { from: old.at, to });
      return by === undefined || by === 'agent' ? [] : [{ by, change }];
    });
  }
}
