import type { TurnReview } from '../../../model/review/review';
import { type PlacedPrompt, placeTurns } from '../../../model/review/turnPlaces';
import type { Entry } from '../../../shared/transcript/entries';
import type { ReviewedTurn } from '../../../shared/transcript/reviewed';
import type { Outline } from './outline';

/** Turns that a webview gets at most: the latest ones. */
const mostTurns = 500;
/** As much of a prompt as is needed to find it. */
const longestText = 300;

/** What the places of turns are computed from. */
interface Transcript {
  readonly entries: readonly Entry[];
  readonly outline: Outline;
  readonly isRunning: boolean;
}

/** Finds the recorded turns of a session in its transcript, again only after a change that matters. */
export class ReviewedTurns {
  #turns: readonly TurnReview[] | undefined;
  #version: number | undefined;
  #places: ReadonlyMap<number, number> = new Map();
  #shown: readonly ReviewedTurn[] = [];

  /** The latest turns with a place. Without the last one while it runs. The same array until something changes. */
  shown(turns: readonly TurnReview[], transcript: Transcript): readonly ReviewedTurn[] {
    this.#place(turns, transcript.outline, transcript.entries);
    const shown = turns.slice(-mostTurns).flatMap((turn) => this.#shownTurn(turn, transcript));
    if (JSON.stringify(shown) !== JSON.stringify(this.#shown)) {
      this.#shown = shown;
    }
    return this.#shown;
  }

  /** The turn from which on something has to be restored so that the files are as before this prompt. */
  firstFrom(prompt: number): number | undefined {
    const later = [...this.#places].filter(([, index]) => index >= prompt);
    return later.length === 0 ? undefined : Math.min(...later.map(([turn]) => turn));
  }

  #place(turns: readonly TurnReview[], outline: Outline, entries: readonly Entry[]): void {
    if (turns !== this.#turns || outline.version !== this.#version) {
      this.#turns = turns;
      this.#version = outline.version;
      this.#places = placeTurns(turns, promptsIn(outline, entries));
    }
  }

  #shownTurn(turn: TurnReview, transcript: Transcript): readonly ReviewedTurn[] {
    const prompt = this.#places.get(turn.turn);
    const place = prompt === undefined ? undefined : transcript.outline.turnOf(prompt);
    if (prompt === undefined || place === undefined) {
      return [];
    }
    const { end } = transcript.outline.rangeOf(place);
    if (transcript.isRunning && place.number === transcript.outline.turnCount) {
      return [];
    }
    const { files, added, removed, state, incomplete, isLate } = turn;
    return [
      {
        turn: turn.turn,
        prompt,
        last: end - 1,
        files: files.length,
        added,
        removed,
        state,
        ...(incomplete !== undefined && { incomplete }),
        ...(isLate && { isLate }),
      },
    ];
  }
}

function promptsIn(outline: Outline, entries: readonly Entry[]): readonly PlacedPrompt[] {
  return outline.allTurns().flatMap(({ index }) => {
    const entry = entries[index];
    if (entry?.kind !== 'user') {
      return [];
    }
    const first = entry.blocks.find((block) => block.type === 'text');
    const text = (first?.text ?? '').slice(0, longestText);
    return [{ index, text, ...(entry.turn && { began: entry.turn.began }) }];
  });
}
