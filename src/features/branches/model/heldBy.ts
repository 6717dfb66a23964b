import type { Held } from '../../../shared/transcript/branches';
import type { Conversation } from './forkPoint';

/** Places in the origin that are tried as the fork's end, nearest first: a hostile fork costs no more. */
const maxTriedPlaces = 200;

/**
 * What a fork that was asked to end before a turn of its origin really holds, by what it replays. `turn` is counted
 * from 1. Agents answer the request alike, whether they end the fork there, later, or not at all (T-42).
 */
export function heldBy(fork: Conversation, origin: Conversation, turn: number): Held {
  const wanted = turn - 1;
  const last = lastSharedTurn(fork, origin, wanted);
  if (last === undefined) {
    return isSameEnd(fork, origin, wanted) ? 'before' : 'other';
  }
  if (last >= turn) {
    return last === origin.turns.length ? 'whole' : 'turn';
  }
  return last === wanted
    ? callsLack(fork, origin, wanted)
      ? 'less'
      : 'before'
    : isAnswered(origin, last, wanted)
      ? 'less'
      : 'before';
}

/**
 * The number of the origin's turn with which the fork ends; `undefined` if its prompts are other ones. Prompts may be
 * missing in the fork: those that never reached the agent, and those that it has compacted.
 */
function lastSharedTurn(
  { turns: fork }: Conversation,
  { turns: origin }: Conversation,
  wanted: number,
): number | undefined {
  if (fork.every(({ prompt }, index) => origin[index]?.prompt === prompt)) {
    return fork.length;
  }
  const candidates = [wanted, ...origin.map((_, index) => origin.length - index)];
  return candidates
    .slice(0, maxTriedPlaces)
    .find((last) => last > 0 && endsWith(fork, origin, last));
}

/** Whether the fork ends with this turn of the origin, which has the fork's other prompts in the same order before it. */
function endsWith(
  fork: Conversation['turns'],
  origin: Conversation['turns'],
  last: number,
): boolean {
  let next = fork.length - 1;
  for (let index = last - 1; index >= next && next >= 0; index--) {
    if (origin[index]?.prompt === fork[next]?.prompt) {
      next--;
    } else if (index === last - 1) {
      return false;
    }
  }
  return next < 0;
}

/** Agents that rewrite prompts keep the ids of their own messages. */
function isSameEnd(fork: Conversation, origin: Conversation, wanted: number): boolean {
  const asked = origin.turns[wanted - 1]?.lastMessage;
  return asked !== undefined && fork.turns.at(-1)?.lastMessage === asked;
}

/** What follows the last message of a turn has no id to fork at, so it may be missing. */
function callsLack(fork: Conversation, origin: Conversation, wanted: number): boolean {
  return (fork.turns.at(-1)?.calls ?? 0) < (origin.turns[wanted - 1]?.calls ?? 0);
}

function isAnswered({ turns }: Conversation, from: number, to: number): boolean {
  return turns.slice(from, to).some((turn) => turn.isAnswered);
}
