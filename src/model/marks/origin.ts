import type { SessionRef } from '../../shared/sessionRef';
import type { Held } from '../../shared/transcript/branches';
import { asString, isObject } from '../../util/json';
import { isId } from './stamped';

/** The session from which another one was forked, or that another one continues. */
export interface Origin {
  /** Its agent, if another session continues it with an agent that was chosen; a fork's is the fork's own. */
  readonly agentId?: string;
  readonly sessionId: string;
  /** The turn before whose prompt it was forked, or up to which it is continued, counted from 1. */
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
  const agentId = asString(value['agent']);
  const sessionId = asString(value['session']);
  const prompt = asString(value['prompt']);
  if (
    !sessionId ||
    sessionId.length > maxIdLength ||
    (value['agent'] !== undefined && !isId(agentId)) ||
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
  return {
    ...(agentId !== undefined && { agentId }),
    ...{ sessionId, turn: turn as number, prompt, held: held as Held },
  };
}

export function writeOrigin({ agentId, sessionId, turn, prompt, held }: Origin): unknown {
  return {
    ...(agentId !== undefined && { agent: agentId }),
    ...{ session: sessionId, turn, prompt, held },
  };
}

/** The session that the origin of one of this agent names. */
export function originOf(agentId: string, origin: Origin): SessionRef {
  return { agentId: origin.agentId ?? agentId, sessionId: origin.sessionId };
}
