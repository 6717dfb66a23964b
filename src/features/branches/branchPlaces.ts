import type { Branch, SessionMarks } from '../../model/marks/marks';
import { maxPromptLength, type Origin, originOf } from '../../model/marks/origin';
import { cleanText } from '../../model/text/titles';
import type { SessionRef } from '../../shared/sessionRef';
import type { ShownBranches, ShownOrigin } from '../../shared/transcript/branches';
import type { OutlineTurn } from '../../shared/transcript/outline';
import type { Outline } from '../../views/transcript/feed/outlineFeed';

/** Forks of one session that its page gets at most: the latest ones of each turn come last. */
const maxForks = 200;
/** Sessions that continue it, likewise. */
const maxContinued = 20;

/** Finds the branches of one session in its transcript, again only after a change that matters. */
export class BranchPlaces {
  readonly #marks: Pick<SessionMarks, 'get' | 'getBranches'>;
  readonly #getTitle: (session: SessionRef) => string;
  readonly #getAgent: (agentId: string) => string;
  #branches: readonly Branch[] | undefined;
  #version: number | undefined;
  #places: readonly { readonly sessionId: string; readonly index: number }[] = [];

  /** `getTitle`, `getAgent`: as the views show them. */
  constructor(
    marks: Pick<SessionMarks, 'get' | 'getBranches'>,
    getTitle: (session: SessionRef) => string,
    getAgent: (agentId: string) => string,
  ) {
    this.#marks = marks;
    this.#getTitle = getTitle;
    this.#getAgent = getAgent;
  }

  shown({ agentId, sessionId: id }: SessionRef, outline: Outline): ShownBranches {
    const { origin } = this.#marks.get(agentId, id);
    const getTitle = (sessionId: string): string => this.#getTitle({ agentId, sessionId });
    const branches = this.#marks.getBranches(agentId, id);
    if (branches !== this.#branches || outline.version !== this.#version) {
      this.#branches = branches;
      this.#version = outline.version;
      const forks = branches.filter(isFork);
      this.#places = getPlaces(forks.slice(-maxForks), outline);
    }
    const continued = branches.filter((branch) => !isFork(branch)).slice(-maxContinued);
    return {
      ...(origin && { origin: this.#shownOrigin(agentId, origin) }),
      ...(continued.length > 0 && {
        continued: continued.map((named) => ({
          ...{ agentId: named.agentId, sessionId: named.sessionId },
          ...{ title: this.#getTitle(named), agentTitle: this.#getAgent(named.agentId) },
        })),
      }),
      forks: this.#places.map((place) => ({ ...place, title: getTitle(place.sessionId) })),
    };
  }

  #shownOrigin(agentId: string, origin: Origin): ShownOrigin {
    const from = originOf(agentId, origin);
    return {
      ...{ title: this.#getTitle(from), turn: origin.turn, held: origin.held },
      ...(!isFork({ origin }) && { agentTitle: this.#getAgent(from.agentId) }),
    };
  }
}

/** One that was forked, instead of continued with an agent that was chosen. */
function isFork({ origin }: Pick<Branch, 'origin'>): boolean {
  return origin.agentId === undefined;
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
