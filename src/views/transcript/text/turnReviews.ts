import { resolve } from 'node:path';
import { type FateTexts, findFate, undecidedDiffs } from '../../../model/changes/diffFate';
import type { ProvidedReviews } from '../../../model/changes/providedReviews';
import type { KnownReview, PendingFile } from '../../../model/changes/reviews';
import { unreviewedChanges } from '../../../model/changes/unreviewedChanges';
import type { PathContext } from '../../../platform/openers';
import { getRef } from '../../../shared/sessionRef';
import type { Entry, TranscriptChange } from '../../../shared/transcript/entries';
import type { ReviewedTurn, ShownReview } from '../../../shared/transcript/reviewed';
import type { ChangedFile } from '../../../shared/transcript/webviewMessages';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Effort } from '../../../util/effort';
import { Emitter } from '../../../util/emitter';
import { sessionFile, textOfFile } from '../../sessionFiles';
import type { Outline } from '../feed/outlineFeed';
import { ReviewedTurns } from '../feed/reviewedTurns';
import { shortPath } from '../rows/drawTexts';
import type { PanelSession } from '../tabs/panelSession';

/** Changes within this time, in ms, are looked at together. */
const pause = 200;
/** Maximum number of files to list. */
const maxFiles = 500;

type ReviewedSession = Pick<
  PanelSession,
  'agent' | 'info' | 'shown' | 'turns' | 'phase' | 'changes'
>;

const noDiffs: ShownReview['diffs'] = [];

/** The record of one session's changes, as its transcript shows it. */
export class TurnReviews implements Disposable {
  readonly #session: ReviewedSession;
  readonly #outline: () => Outline;
  readonly #reviews: ProvidedReviews;
  readonly #context: PathContext;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #places = new ReviewedTurns();
  #diffs = noDiffs;
  #shown: ShownReview | undefined;
  #pending: readonly PendingFile[] | undefined;
  #files: readonly ChangedFile[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looks = 0;

  constructor(
    session: ReviewedSession,
    outline: () => Outline,
    reviews: ProvidedReviews,
    context: PathContext,
  ) {
    this.#session = session;
    this.#outline = outline;
    this.#reviews = reviews;
    this.#context = context;
    this.#store.add(
      reviews.onDidChange(() => {
        this.#changed.fire();
        this.lookAgain();
      }),
    );
    this.lookAgain();
  }

  /** `undefined` if nothing is recorded of the session. */
  get review(): KnownReview | undefined {
    return this.#reviews.of(this.#session.agent.id, this.#session.info.sessionId);
  }

  /** What a webview shows of it; the same object until that changes. */
  get shown(): ShownReview | undefined {
    const { review } = this;
    if (review === undefined) {
      this.#shown = undefined;
    } else {
      const turns = this.#turns(review);
      const unrecorded = this.#places.unrecorded(review, this.#transcript);
      const uncertain = this.#places.uncertain(review, this.#transcript);
      const comments = this.#reviews.comments?.count(getRef(this.#session)) ?? 0;
      const isSame =
        this.#shown?.turns === turns &&
        (this.#shown.comments ?? 0) === comments &&
        this.#shown.unrecorded === unrecorded &&
        this.#shown.uncertain === uncertain;
      if (!isSame || this.#shown?.diffs !== this.#diffs) {
        this.#shown = {
          ...{ turns, unrecorded, uncertain, diffs: this.#diffs },
          ...(comments > 0 && { comments }),
        };
      }
    }
    return this.#shown;
  }

  /** What the session's calls reported in turns that aren't recorded. */
  get unreviewed(): ReturnType<typeof unreviewedChanges> {
    return unreviewedChanges(this.#session, this.review);
  }

  /** The files that wait for review. The same array until they change. */
  get pendingFiles(): readonly ChangedFile[] {
    const { review } = this;
    if (review === undefined) {
      return [];
    }
    if (review.pending !== this.#pending) {
      this.#pending = review.pending;
      this.#files = review.pending
        .slice(0, maxFiles)
        .map(({ file, kind, added, removed, isMixed }) => ({
          path: file,
          label: shortPath(file, this.#context.cwd),
          added,
          removed,
          ...(kind !== 'modified' && { kind }),
          ...(isMixed && { state: 'changedSince' as const }),
        }));
    }
    return this.#files;
  }

  /** The first recorded turn that starts with this prompt or a later one. */
  firstTurnFrom(prompt: number): number | undefined {
    const { review } = this;
    if (review !== undefined) {
      this.#turns(review);
    }
    return review && this.#places.firstFrom(prompt);
  }

  /** Follows the transcript. Returns whether turns may have moved in it. */
  note(change: TranscriptChange): boolean {
    if (this.review === undefined) {
      return false;
    }
    if (change.type === 'reset') {
      this.#diffs = noDiffs;
      this.#looks += 1;
    }
    // Earlier turns stay in place while one runs, and its own end is told by the session's state.
    const isAtRest =
      this.#session.phase.kind !== 'loading' && this.#session.turns.current.kind !== 'running';
    if (isAtRest) {
      this.lookAgain();
    }
    return isAtRest && change.type !== 'updated';
  }

  /** Files may have changed. */
  lookAgain(): void {
    if (this.review !== undefined && !this.#store.disposed) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.#look();
      }, pause);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #turns(review: KnownReview): readonly ReviewedTurn[] {
    return this.#places.shown(review, this.#transcript);
  }

  get #transcript() {
    const { shown, turns } = this.#session;
    return {
      entries: shown.entries,
      outline: this.#outline(),
      isRunning: turns.current.kind !== 'idle',
      background: turns.background,
    };
  }

  async #look(): Promise<void> {
    const { review } = this;
    if (review === undefined || this.#session.phase.kind === 'loading') {
      return;
    }
    this.#looks += 1;
    const look = this.#looks;
    const { entries } = this.#session.shown;
    const found = await getFates(this.#turns(review), entries, review, this.#context);
    // A transcript that was loaded anew has other indexes.
    if (
      look === this.#looks &&
      !this.#store.disposed &&
      JSON.stringify(found) !== JSON.stringify(this.#diffs)
    ) {
      this.#diffs = found.length === 0 ? noDiffs : found;
      this.#changed.fire();
    }
  }
}

const maxDiffs = 300;
/** Characters that are searched. */
const maxSearchedCharacters = 20_000_000;

/** Looks at the diffs of the turns that aren't decided as a whole. */
async function getFates(
  turns: readonly ReviewedTurn[],
  entries: readonly Entry[],
  review: Pick<KnownReview, 'baseline'>,
  context: PathContext,
): Promise<ShownReview['diffs']> {
  const texts = new Map<string, FateTexts>();
  const effort = new Effort(maxSearchedCharacters);
  const found: ShownReview['diffs'][number][] = [];
  let looked = 0;
  for (const { index, item, diff, state } of undecidedDiffs(turns, entries)) {
    looked += 1;
    if (looked > maxDiffs || effort.isSpent) {
      break;
    }
    const file = resolve(context.cwd, diff.path);
    const known = texts.get(file) ?? (await getTexts(file, review, context));
    texts.set(file, known);
    effort.spend((known.now?.length ?? 0) + (known.baseline?.length ?? 0) + diff.newText.length);
    const fate = findFate(diff, known, state);
    if (fate !== undefined) {
      found.push({ index, item, fate });
    }
  }
  return found;
}

async function getTexts(
  file: string,
  review: Pick<KnownReview, 'baseline'>,
  context: PathContext,
): Promise<FateTexts> {
  const found = await sessionFile(file, context);
  const now =
    found.kind === 'there'
      ? await textOfFile(found.real)
      : found.kind === 'missing'
        ? ''
        : undefined;
  return { now, baseline: (await review.baseline(file)) ?? undefined };
}
