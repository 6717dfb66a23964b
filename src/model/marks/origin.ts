import type { Held } from '../../shared/transcript/branches';
import { asString, isObject } from '../../util/json';

/** The session from which another one was forked; its agent is the same. */
export interface Origin {
  readonly sessionId: string;
  /** The turn before whose prompt it was forked, counted from 1. */
  readonly turn: number;
  /** The beginning of that prompt, on one line. */
  readonly prompt: string;
  readonly held: Held;
}

/** Maximum length of `prompt`. */
export const maxPromptLength = 80;
/** Ids are opaque, but no agent could work with a longer one. */
const maxIdLength = 2_000;
const maxTurns = 1_000_000;

const helds: Readonly<Record<Held, true>> = {
  before: true,
  turn: true,
  whole: true,
  less: true,
  other: true,
  unknown: true,
  text: true,
};

/** Checks a stored value; `undefined` if it is none that this version could have written. */
export function readOrigin(value: unknown): Origin | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { turn, held } = value;
  const sessionId = asString(value['session']);
  const prompt = asString(value['prompt']);
  if (
    !sessionId ||
    sessionId.length > maxIdLength ||
    prompt === undefined ||
    prompt.length > maxPromptLength + 1 ||
    !Number.isInteger(turn) ||
    (turn as number) < 1 ||
    (turn as number) > maxTurns ||
    typeof held !== 'string' ||
    !Object.hasOwn(helds, held)
  ) {
    return undefined;
  }
  return { sessionId, turn: turn as number, prompt, held: held as Held };
}

export function writeOrigin({ sessionId, turn, prompt, held }: Origin): unknown {
  return { session: sessionId, turn, prompt, held };
}
