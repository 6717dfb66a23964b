import { absent } from '../record/fileState';
import type { ChangedFile } from '../record/journalLines';
import { matches } from '../record/recordState';
import type { SessionRecord } from '../record/sessionRecord';
import type { LeftAlone, Outcome, PlannedFile, TakeBackPlan } from '../review';
import type { ReviewFiles } from '../reviewFiles';
import { carryOut } from './carryOut';
import { getKind, type RestorePlanner } from './restorePlanner';

export interface TakingBackParts {
  readonly record: SessionRecord;
  readonly files: ReviewFiles;
  readonly planner: Pick<RestorePlanner, 'planTakeBack'>;
  /** Records what the user has changed in a file; the reason if it has to be left alone. */
  readonly meetDisk: (file: string) => Promise<LeftAlone | undefined>;
}

/** Takes the last decision of a session back that changed files. */
export class TakingBack {
  readonly #parts: TakingBackParts;
  readonly #plans = new WeakMap<TakeBackPlan, readonly ChangedFile[]>();

  constructor(parts: TakingBackParts) {
    this.#parts = parts;
  }

  /** Changes no file. */
  async plan(): Promise<TakeBackPlan | undefined> {
    const { record, planner, meetDisk } = this.#parts;
    const { lastDecision: decision, lastChanges } = record.state;
    if (decision === undefined) {
      return undefined;
    }
    const leftAlone: LeftAlone[] = [];
    const changes: ChangedFile[] = [];
    for (const file of lastChanges.files) {
      const reason = await meetDisk(file.file);
      const back = reason === undefined ? await planner.planTakeBack(file) : undefined;
      if (reason !== undefined) {
        leftAlone.push(reason);
      } else if (back !== undefined && 'left' in back) {
        leftAlone.push({ file: file.file, reason: back.left });
      } else if (back !== undefined) {
        changes.push(back.file);
      }
    }
    const gone = new Map(lastChanges.files.map(({ file, goesTo }) => [goesTo, file] as const));
    const paired = changes.map((change) => {
      const goesTo = gone.get(change.file);
      return goesTo === undefined ? change : { ...change, goesTo };
    });
    const plan = { decision, files: await this.#shown(paired, lastChanges.files), leftAlone };
    this.#plans.set(plan, paired);
    return plan;
  }

  /** Carries out the plan; without one, at once. Does nothing if this isn't the last decision any more. */
  async carryOut(wanted?: TakeBackPlan | string): Promise<Outcome> {
    const { record, files } = this.#parts;
    const id = typeof wanted === 'object' ? wanted.decision.id : wanted;
    const last = record.state.lastDecision?.id;
    const isLast = last !== undefined && last === (id ?? last);
    const plan = typeof wanted === 'object' ? wanted : isLast ? await this.plan() : undefined;
    const changes = (plan && this.#plans.get(plan)) ?? [];
    const isAsPlanned = ({ file, was }: ChangedFile): boolean => {
      const now = record.state.files.get(file);
      return matches(now?.seen ?? absent, was[0]) && matches(now?.base ?? absent, was[1]);
    };
    const ready = isLast ? changes.filter(isAsPlanned) : [];
    const overtaken = changes.filter((change) => !ready.includes(change));
    const outcome = await carryOut(record, files, 'unrestore', ready);
    return {
      ...outcome,
      leftAlone: [
        ...(plan?.leftAlone ?? []),
        ...overtaken.map(({ file }): LeftAlone => ({ file, reason: 'changedSince' })),
        ...outcome.leftAlone,
      ],
    };
  }

  /** A file that goes back to where it was is shown once. */
  #shown(
    changes: readonly ChangedFile[],
    decided: readonly ChangedFile[],
  ): Promise<readonly PlannedFile[]> {
    const { contents } = this.#parts.record;
    const sources = new Map(changes.map(({ file, goesTo }) => [goesTo, file] as const));
    const ends = new Map(decided.map(({ file, to }) => [file, to] as const));
    const shown = changes.filter(({ goesTo }) => goesTo === undefined);
    return Promise.all(
      shown.map(async ({ file, from, to }): Promise<PlannedFile> => {
        const movedFrom = sources.get(file);
        const isMerged = !matches(ends.get(file) ?? absent, from);
        return {
          ...{ file, kind: movedFrom === undefined ? getKind(from, to) : 'moved' },
          ...(movedFrom !== undefined && { movedFrom }),
          ...{ text: await contents.text(file, to), isMerged },
        };
      }),
    );
  }
}
