import type { ChangedFile, IntentLine } from '../record/journalLines';
import type { RecordedReview } from '../recordedReview';
import type { InterruptedDecision, LeftAlone, Outcome } from '../review';
import type { ReviewFiles } from '../reviewFiles';
import {
  askToDelete,
  findReplacement,
  getProgress,
  leftByUser,
  type Ready,
  replace,
} from './carryOut';

/** A decision whose window is gone: each file tells how far it came. */
export class AbandonedDecision implements InterruptedDecision {
  readonly review: RecordedReview;
  readonly #files: ReviewFiles;
  readonly #intent: IntentLine;
  readonly done: readonly string[];
  readonly left: readonly string[];
  readonly #onEnd: () => void;

  private constructor(
    { review, files, intent, onEnd }: AbandonedDecisionOptions,
    [done, left]: readonly [readonly string[], readonly string[]],
  ) {
    this.review = review;
    this.#files = files;
    this.#intent = intent;
    this.#onEnd = onEnd;
    this.done = done;
    this.left = left;
  }

  static async of(options: AbandonedDecisionOptions): Promise<AbandonedDecision> {
    const done: string[] = [];
    const left: string[] = [];
    for (const file of options.intent.files) {
      const { kind } = await getProgress(options.files, options.review.record.contents, file);
      (kind === 'to' ? done : left).push(file.file);
    }
    return new AbandonedDecision(options, [done, left]);
  }

  get what(): 'undo' | 'restore' {
    return this.#intent.what === 'undo' ? 'undo' : 'restore';
  }

  goOn(): Promise<Outcome> {
    return this.review.alone(() => this.#end('to'));
  }

  goBack(): Promise<Outcome> {
    return this.review.alone(() => this.#end('from'));
  }

  async #end(side: 'from' | 'to'): Promise<Outcome> {
    const { record } = this.review;
    await record.catchUp();
    if (!record.state.openDecisions.has(this.#intent.id)) {
      const files = this.#intent.files;
      return {
        decided: [],
        leftAlone: files.map(({ file }) => ({ file, reason: 'changedSince' })),
      };
    }
    const ready: Ready[] = [];
    const leftAlone: LeftAlone[] = [];
    for (const change of this.#intent.files) {
      const next = await this.#findNext(change, side);
      if (next !== undefined && 'reason' in next) {
        leftAlone.push(next);
      } else if (next !== undefined) {
        ready.push(next);
      }
    }
    const changes = ready.map(({ change }) =>
      side === 'to' ? change : { ...change, from: change.to, to: change.from },
    );
    const { declined, forGood } = await askToDelete(this.#files, changes);
    leftAlone.push(...[...declined].map(leftByUser));
    const agreed = ready.filter(({ change }) => !declined.has(change.file));
    const { left } = await replace(
      this.#files,
      agreed.map(({ change, replacement }) => ({
        change,
        replacement: { ...replacement, forGood },
      })),
    );
    const changed = await this.#changed();
    await record.append([{ type: 'done', id: this.#intent.id, at: Date.now(), changed }]);
    this.#onEnd();
    const all = [...leftAlone, ...left];
    const files = new Set(all.map(({ file }) => file));
    return {
      decided: this.#intent.files.map(({ file }) => file).filter((file) => !files.has(file)),
      leftAlone: all,
    };
  }

  /** `undefined`: the file is as it should be already. */
  async #findNext(
    change: ChangedFile,
    side: 'from' | 'to',
  ): Promise<Ready | LeftAlone | undefined> {
    const { contents, state } = this.review.record;
    if (state.files.get(change.file)?.isOutside) {
      return { file: change.file, reason: 'outside' };
    }
    const { kind, bytes, leftUnsaved } = await getProgress(this.#files, contents, change);
    const [now, wanted] = side === 'to' ? [change.from, change.to] : [change.to, change.from];
    if (kind === side) {
      return undefined;
    }
    const replacement = await findReplacement(contents, change, now, wanted);
    if (kind === 'other' || replacement === undefined) {
      return { file: change.file, reason: kind === 'other' ? 'changedSince' : 'unkept' };
    }
    const expected = bytes !== undefined && { expected: bytes };
    const unsaved = leftUnsaved !== undefined && { leftUnsaved };
    return { change, replacement: { ...replacement, ...expected, ...unsaved } };
  }

  async #changed(): Promise<readonly number[]> {
    const { contents } = this.review.record;
    const changed: number[] = [];
    for (const [index, file] of this.#intent.files.entries()) {
      if ((await getProgress(this.#files, contents, file)).kind === 'to') {
        changed.push(index);
      }
    }
    return changed;
  }
}

interface AbandonedDecisionOptions {
  readonly review: RecordedReview;
  readonly files: ReviewFiles;
  readonly intent: IntentLine;
  readonly onEnd: () => void;
}
