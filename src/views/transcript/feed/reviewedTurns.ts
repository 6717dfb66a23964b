import type { KnownReview, NoRecord, TurnReview, TurnStart } from '../../../model/changes/reviews';
import { placeTurns } from '../../../model/changes/turnPlaces';
import { promptsAt } from '../../../model/transcript/turnStarts';
import type { BackgroundTurn } from '../../../model/turns/backgroundWork';
import type { Entry } from '../../../shared/transcript/entries';
import type {
  ReviewedTurn,
  UncertainTurn,
  UnrecordedTurn,
} from '../../../shared/transcript/reviewed';
import type { Outline } from './outlineFeed';

/** Turns that a webview gets at most: the latest ones. */
const maxTurns = 500;
/** The user knows of these without being told. */
const chosen: readonly NoRecord[] = ['off', 'untrusted'];

/** What the places of turns are computed from. */
interface Transcript {
  readonly entries: readonly Entry[];
  readonly outline: Outline;
  readonly isRunning: boolean;
  /** The turns that the agent began, as far as they are known. */
  readonly background: readonly BackgroundTurn[];
}

interface Place {
  readonly prompt: number;
  readonly first?: number;
  readonly last: number;
}

/** The clocks of the transcript and of the record are read at slightly different moments. */
const sameMoment = 10_000;

/** The record of a session, as far as it says something about its turns. */
type RecordedTurns = Pick<KnownReview, 'turns' | 'unrecorded' | 'pending'> &
  Partial<Pick<KnownReview, 'uncertainTurns'>>;

/** Finds the recorded turns of a session in its transcript, again only after a change that matters. */
export class ReviewedTurns {
  #turns: readonly TurnReview[] | undefined;
  #unrecordedTurns: RecordedTurns['unrecorded'] | undefined;
  #uncertainTurns: RecordedTurns['uncertainTurns'];
  #version: number | undefined;
  #places: ReadonlyMap<number, number> = new Map();
  /** When turns that the agent began were begun, as the transcript has it, by turn. */
  #own = new Map<number, number>();
  #shown: readonly ReviewedTurn[] = [];
  #unrecorded: readonly UnrecordedTurn[] = [];
  #uncertain: readonly UncertainTurn[] = [];

  /** The latest turns with a place. Without the last one while it runs. The same array until something changes. */
  shown(review: RecordedTurns, transcript: Transcript): readonly ReviewedTurn[] {
    this.#place(review, transcript);
    const waiting = new Set(review.pending.flatMap((file) => file.turns));
    const shown = review.turns
      .slice(-maxTurns)
      .flatMap((turn) => this.#shownTurn(turn, transcript, waiting.has(turn.turn)));
    if (JSON.stringify(shown) !== JSON.stringify(this.#shown)) {
      this.#shown = shown;
    }
    return this.#shown;
  }

  /**
   * The turns that say why nothing is recorded of them, likewise. It is said once, and again only after a turn of
   * which something was.
   */
  unrecorded(review: RecordedTurns, transcript: Transcript): readonly UnrecordedTurn[] {
    this.#place(review, transcript);
    const shown: UnrecordedTurn[] = [];
    let said: NoRecord | undefined;
    for (const turn of inOrder(review).slice(-maxTurns)) {
      const { incomplete } = turn;
      const place = this.#findPlace(turn.turn, transcript);
      const isNews = incomplete !== said && incomplete !== undefined;
      if (!('files' in turn) && isNews && !chosen.includes(incomplete) && place !== undefined) {
        shown.push({ last: place.last, reason: incomplete });
      }
      said = 'files' in turn || place !== undefined ? incomplete : said;
    }
    if (JSON.stringify(shown) !== JSON.stringify(this.#unrecorded)) {
      this.#unrecorded = shown;
    }
    return this.#unrecorded;
  }

  /** The turns with changes that may be another session's, likewise. */
  uncertain(review: RecordedTurns, transcript: Transcript): readonly UncertainTurn[] {
    this.#place(review, transcript);
    const shown = (review.uncertainTurns ?? []).slice(-maxTurns).flatMap(({ turn, files }) => {
      const place = this.#findPlace(turn, transcript);
      return place === undefined ? [] : [{ turn, last: place.last, files }];
    });
    if (JSON.stringify(shown) !== JSON.stringify(this.#uncertain)) {
      this.#uncertain = shown;
    }
    return this.#uncertain;
  }

  /** The turn from which on something has to be restored so that the files are as before this prompt. */
  firstFrom(prompt: number): number | undefined {
    const later = this.#turns?.filter(({ turn }) => (this.#places.get(turn) ?? -1) >= prompt);
    return later?.[0]?.turn;
  }

  #place(review: RecordedTurns, { outline, entries, background }: Transcript): void {
    const { turns, unrecorded, uncertainTurns } = review;
    const isSame =
      turns === this.#turns &&
      unrecorded === this.#unrecordedTurns &&
      uncertainTurns === this.#uncertainTurns;
    if (!isSame || outline.version !== this.#version) {
      this.#turns = turns;
      this.#unrecordedTurns = unrecorded;
      this.#uncertainTurns = uncertainTurns;
      this.#version = outline.version;
      const prompts = outline.allTurns().map(({ index }) => index);
      const known = new Set(inOrder(review).map(({ turn }) => turn));
      const others = (uncertainTurns ?? []).filter(({ turn }) => !known.has(turn));
      const all = [...inOrder(review), ...others].sort((a, b) => a.turn - b.turn);
      const places = new Map(placeTurns(all, promptsAt(prompts, entries)));
      this.#own = new Map();
      for (const turn of all) {
        const own = turn.isUnprompted ? nearest(turn, background) : undefined;
        const place = own && outline.findTurn(own.from);
        if (own !== undefined && place !== undefined) {
          this.#own.set(turn.turn, own.began);
          places.set(turn.turn, place.index);
        }
      }
      this.#places = places;
    }
  }

  /** The place of a turn; none while it runs. */
  #findPlace(turn: number, { outline, isRunning, background }: Transcript): Place | undefined {
    const prompt = this.#places.get(turn);
    const own = background.find(({ began }) => began === this.#own.get(turn));
    const end = own === undefined ? prompt : own.to;
    const place = end === undefined ? undefined : outline.findTurn(own ? end - 1 : end);
    if (prompt === undefined || place === undefined) {
      return undefined;
    }
    const next = own
      ? background[background.indexOf(own) + 1]
      : background.find(({ from }) => from > prompt);
    const range = outline.getRange(place);
    const isLast = next === undefined || next.from > range.end;
    if (isLast && isRunning && place.number === outline.turnCount) {
      return undefined;
    }
    const last = Math.max(prompt, (isLast ? range.end : next.from) - 1);
    return { prompt, ...(own && { first: own.from }), last };
  }

  #shownTurn(
    turn: TurnReview,
    transcript: Transcript,
    isWaiting: boolean,
  ): readonly ReviewedTurn[] {
    const place = this.#findPlace(turn.turn, transcript);
    if (place === undefined) {
      return [];
    }
    const { files, added, removed, state, isUnprompted, incomplete, isLate } = turn;
    return [
      {
        turn: turn.turn,
        ...place,
        ...(isUnprompted && { isUnprompted }),
        files: files.length,
        added,
        removed,
        state,
        ...(state === 'partly' && !isWaiting && { isDecided: true as const }),
        ...(incomplete !== undefined && { incomplete }),
        ...(isLate && { isLate }),
      },
    ];
  }
}

/** The turn of the transcript that began closest to a recorded one. */
function nearest(
  { began }: TurnStart,
  background: readonly BackgroundTurn[],
): BackgroundTurn | undefined {
  const [first] = background
    .map((turn) => ({ turn, distance: Math.abs(turn.began - began) }))
    .filter(({ distance }) => distance <= sameMoment)
    .sort((a, b) => a.distance - b.distance);
  return first?.turn;
}

function inOrder({
  turns,
  unrecorded,
}: RecordedTurns): readonly (TurnReview | KnownReview['unrecorded'][number])[] {
  return unrecorded.length === 0
    ? turns
    : [...turns, ...unrecorded].sort((a, b) => a.turn - b.turn);
}
