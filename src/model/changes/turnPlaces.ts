import type { PlacedPrompt } from '../transcript/turnStarts';
import type { TurnStart } from './reviews';

/** Number of characters of prompts that are compared: the record keeps only their beginning. */
const compared = 60;
/** The clocks of the transcript and of the record are read at slightly different moments. */
const sameMoment = 10_000;

/**
 * Finds the prompts of recorded turns in a transcript, which may have been loaded anew, without times
 * and without the prompts that an agent has dropped. From the last turn to the first: a prompt sent
 * from this window is found by its time; another one by its text, and if several have the same text
 * by the number of prompts between it and the turn that follows, otherwise it is the last of them. A
 * turn that the agent began by itself is found at the prompt before it.
 * Returns the indexes of the prompts' entries by turn; turns that aren't found are missing.
 */
export function placeTurns(
  turns: readonly TurnStart[],
  prompts: readonly PlacedPrompt[],
): ReadonlyMap<number, number> {
  const byText = positionsByText(prompts);
  const places = new Map<number, number>();
  let next = { position: prompts.length, place: Infinity, isUnprompted: false };
  for (const turn of turns.toReversed()) {
    const candidates = (byText.get(getKey(turn.prompt)) ?? []).filter(
      (position) =>
        (position < next.position || (next.isUnprompted && position === next.position)) &&
        mayBe(turn, prompts[position]),
    );
    const place = placeAmongPrompts(turn);
    const expected = next.position - (next.place - place);
    const position =
      nearest(turn, candidates, prompts) ??
      (candidates.includes(expected) ? expected : candidates.at(-1));
    const prompt = position === undefined ? undefined : prompts[position];
    if (position !== undefined && prompt !== undefined) {
      places.set(turn.turn, prompt.index);
      next = { position, place, isUnprompted: turn.isUnprompted === true };
    }
  }
  return places;
}

/** The turn's number without the turns that no prompt began; such a turn has that of the turn before it. */
function placeAmongPrompts({ turn, isUnprompted, unpromptedBefore = 0 }: TurnStart): number {
  return turn - unpromptedBefore - (isUnprompted ? 1 : 0);
}

/** The candidate that was sent closest to the beginning of the turn, if any was sent from this window. */
function nearest(
  { began }: TurnStart,
  candidates: readonly number[],
  prompts: readonly PlacedPrompt[],
): number | undefined {
  let found: { readonly position: number; readonly distance: number } | undefined;
  for (const position of candidates) {
    const sent = prompts[position]?.began;
    const distance = sent === undefined ? Infinity : Math.abs(sent - began);
    if (distance < (found?.distance ?? Infinity)) {
      found = { position, distance };
    }
  }
  return found?.position;
}

function mayBe({ began, isUnprompted }: TurnStart, prompt: PlacedPrompt | undefined): boolean {
  if (prompt?.began === undefined) {
    return true;
  }
  return isUnprompted ? prompt.began <= began : Math.abs(prompt.began - began) <= sameMoment;
}

/** Positions of the prompts, ascending, by the text that is compared. */
function positionsByText(prompts: readonly PlacedPrompt[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [position, { text }] of prompts.entries()) {
    const key = getKey(text);
    const known = positions.get(key);
    if (known === undefined) {
      positions.set(key, [position]);
    } else {
      known.push(position);
    }
  }
  return positions;
}

/** Agents trim prompts and change their line ends. */
function getKey(text: string): string {
  return text
    .slice(0, compared * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, compared);
}
