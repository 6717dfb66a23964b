import * as l10n from '@vscode/l10n';
import { placeTurns } from '../../../model/changes/turnPlaces';
import type { Session } from '../../../model/session/session';
import type { Sessions } from '../../../model/session/sessions';
import { cleanText, getLabel } from '../../../model/text/titles';
import { promptsAt, startsTurn } from '../../../model/transcript/turnStarts';
import type { Entry } from '../../../shared/transcript/entries';
import type { SessionReview } from '../model/review';

type Numbers = ReadonlyMap<number, number>;

interface Known {
  readonly turns: SessionReview['turns'];
  readonly entries: readonly Entry[];
  readonly count: number;
  readonly numbers: Numbers;
}

const known = new WeakMap<SessionReview, Known>();
const none: Numbers = new Map();

/** "turn 3", as the transcript counts it; the record may have begun later, so without a transcript by the prompt. */
export function turnName(
  review: SessionReview,
  turn: number,
  sessions: Pick<Sessions, 'find'>,
): string {
  if (isUnprompted(review, turn)) {
    return l10n.t('a turn that the agent began');
  }
  const number = numbersIn(review, sessions).get(turn);
  return number === undefined
    ? l10n.t('turn “{0}”', getPrompt(review, turn))
    : l10n.t('turn {0}', number);
}

/** The names of several turns, ascending. */
export function turnNames(
  review: SessionReview,
  turns: readonly number[],
  sessions: Pick<Sessions, 'find'>,
): string {
  const [first = 1, last = first] = [turns[0], turns.at(-1)];
  if (first === last) {
    return turnName(review, last, sessions);
  }
  const numbers = numbersIn(review, sessions);
  const [from, to] = [numbers.get(first), numbers.get(last)];
  return from === undefined || to === undefined
    ? l10n.t('{0} turns', turns.length)
    : l10n.t('turns {0} to {1}', from, to);
}

/** Whether the agent began a turn by itself. */
export function isUnprompted({ turns }: SessionReview, turn: number): boolean {
  return turns.find((candidate) => candidate.turn === turn)?.isUnprompted === true;
}

/** What a turn began with, safe to show in a sentence. */
export function getPrompt({ turns }: SessionReview, turn: number): string {
  const found = turns.find((candidate) => candidate.turn === turn);
  return cleanText(getLabel(found?.prompt), 60);
}

function numbersIn(review: SessionReview, sessions: Pick<Sessions, 'find'>): Numbers {
  const session = sessions.find(review.agentId, review.sessionId);
  return session === undefined || session.phase.kind === 'loading'
    ? none
    : getNumbers(review, session);
}

function getNumbers(review: SessionReview, { transcript: { entries } }: Session): Numbers {
  const { turns } = review;
  const old = known.get(review);
  if (old?.turns === turns && old.entries === entries && old.count === entries.length) {
    return old.numbers;
  }
  const starts = [...entries.keys()].filter((index) => startsTurn(entries, index));
  const numberAt = new Map(starts.map((index, at) => [index, at + 1]));
  const places = placeTurns(turns, promptsAt(starts, entries));
  const numbers = new Map(
    [...places].flatMap(([turn, index]) => {
      const number = numberAt.get(index);
      return number === undefined || isUnprompted(review, turn) ? [] : [[turn, number] as const];
    }),
  );
  known.set(review, { turns, entries, count: entries.length, numbers });
  return numbers;
}
