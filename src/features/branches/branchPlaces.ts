import type { Branch, SessionMarks } from '../../model/marks/marks';
import { maxPromptLength, type Origin } from '../../model/marks/origin';
import { cleanText } from '../../model/text/titles';
import type { SessionRef } from '../../shared/sessionRef';
import type { ShownBranches } from '../../shared/transcript/branches';
import type { OutlineTurn } from '../../shared/transcript/outline';
import type { Outline } from '../../views/transcript/feed/outlineFeed';

/** Forks of one session that its page gets at most: the latest ones of each turn come last. */
const maxForks = 200;

/** Finds the branches of one session in its transcript, again only after a change that matters. */
export class BranchPlaces {
  readonly #marks: Pick<SessionMarks, 'get' | 'getBranches'>;
  readonly #getTitle: (session: SessionRef) => string;
  #branches: readonly Branch[] | undefined;
  #version: number | undefined;
  #places: readonly { readonly sessionId: string; readonly index: number }[] = [];

  /** `getTitle`: as the views show it. */
  constructor(
    marks: Pick<SessionMarks, 'get' | 'getBranches'>,
    getTitle: (session: SessionRef) => string,
  ) {
    this.#marks = marks;
    this.#getTitle = getTitle;
  }

  shown({ agentId, sessionId: id }: SessionRef, outline: Outline): ShownBranches {
    const { origin } = this.#marks.get(agentId, id);
    const getTitle = (sessionId: string): string => this.#getTitle({ agentId, sessionId });
    const branches = this.#marks.getBranches(agentId, id);
    if (branches !== this.#branches || outline.version !== this.#version) {
      this.#branches = branches;
      this.#version = outline.version;
      this.#places = getPlaces(branches.slice(-maxForks), outline);
    }
    return {
      ...(origin && {
        origin: { title: getTitle(origin.sessionId), turn: origin.turn, held: origin.held },
      }),
      forks: this.#places.map((place) => ({ ...place, title: getTitle(place.sessionId) })),
    };
  }
}

/** The entry of the prompt before which a session was forked; `undefined` if it isn't there. */
export function forkedAt(origin: Origin, outline: Outline): number | undefined {
  return findPlace(origin, outline.allTurns());
}

function getPlaces(branches: readonly Branch[], outline: Outline) {
  const turns = branches.length === 0 ? [] : outline.allTurns();
  return branches.flatMap(({ sessionId, origin }) => {
    const index = findPlace(origin, turns);
    return index === undefined ? [] : [{ sessionId, index }];
  });
}

/**
 * The turn with the number and the prompt, otherwise the nearest with the prompt: a replay may lack turns. Agents may
 * also replay a prompt in other words, so without any, it is the one with the number.
 */
function findPlace({ turn, prompt }: Origin, turns: readonly OutlineTurn[]): number | undefined {
  const isIt = (other: OutlineTurn): boolean => cleanText(other.prompt, maxPromptLength) === prompt;
  const numbered = turns[turn - 1];
  if (numbered !== undefined && isIt(numbered)) {
    return numbered.index;
  }
  const [nearest] = turns
    .filter(isIt)
    .sort((a, b) => Math.abs(a.number - turn) - Math.abs(b.number - turn));
  return (nearest ?? numbered)?.index;
}
