import type { Block } from '../../../shared/transcript/content';
import type { Entry, MessageEntry, TurnOutcome } from '../../../shared/transcript/entries';
import { transcriptFull } from '../../failures/failures';
import {
  maxMessages,
  maxQuestions,
  maxTurns,
  type NotedMessage,
  type NotedQuestion,
  type NotedTurn,
  notedEntry,
} from './notedTurn';
import { digestOf, evidenceIn, isPrompt, notedPrompt, plainText } from './turnEvidence';

type Sent = MessageEntry & { readonly turn: NonNullable<MessageEntry['turn']> };

/**
 * What a transcript says of the latest turns that were sent from this client, except for those that are `known` (see
 * `keyOfTurn`). `isWhole`: it begins where the session does, or where the agent's replay does.
 */
export function noteTurns(
  entries: readonly Entry[],
  isWhole: boolean,
  known: ReadonlySet<string> = new Set(),
): readonly NotedTurn[] {
  const notes: NotedTurn[] = [];
  let count = 0;
  for (let index = entries.length - 1; index >= 0 && count < maxTurns; index--) {
    const entry = entries[index];
    if (entry !== undefined && isSent(entry)) {
      count++;
      const prompt = notedPrompt(entry.blocks);
      if (!known.has(keyOfTurn({ began: entry.turn.began, prompt }))) {
        notes.unshift(noteTurn(entries, index, entry, prompt, isWhole));
      }
    }
  }
  return notes;
}

/** Tells the turns of a session apart. */
export function keyOfTurn({ began, prompt }: Pick<NotedTurn, 'began' | 'prompt'>): string {
  return `${began} ${prompt.digest}`;
}

/** The turns of before, with those that the transcript tells anew in their places. */
export function mergeTurns(
  before: readonly NotedTurn[],
  now: readonly NotedTurn[],
): readonly NotedTurn[] {
  const turns = new Map([...before, ...now].map((turn) => [keyOfTurn(turn), turn]));
  return [...turns.values()].sort((a, b) => a.began - b.began).slice(-maxTurns);
}

function isSent(entry: Entry): entry is Sent {
  return entry.kind === 'user' && entry.turn !== undefined && entry.steering === undefined;
}

/** Whether a prompt begins here: one that was sent into a running turn doesn't begin another. */
export function isPromptEntry(entry: Entry | undefined): boolean {
  return entry?.kind === 'user' && entry.steering === undefined && entry.blocks.length > 0;
}

function noteTurn(
  entries: readonly Entry[],
  index: number,
  { turn }: Sent,
  prompt: NotedTurn['prompt'],
  isWhole: boolean,
): NotedTurn {
  const asked: NotedQuestion[] = [];
  const said: NotedMessage[] = [];
  let outcome: TurnOutcome | undefined;
  let after: string | undefined;
  let end = index + 1;
  for (; end < entries.length && !isPromptEntry(entries[end]); end++) {
    const entry = entries[end];
    if (entry?.kind === 'toolCall') {
      after = entry.toolCallId;
    } else if (entry?.kind === 'turn') {
      outcome = keptOutcome(entry.outcome) ?? outcome;
    } else if (entry?.kind === 'agent' || entry?.kind === 'thought') {
      const { seen } = entry;
      if (seen !== undefined && seen >= turn.began && said.length < maxMessages) {
        said.push({ digest: digestOf(entry), after: seen - turn.began });
      }
    } else if (entry?.kind === 'permission' && entry.from === undefined) {
      const noted = asked.length < maxQuestions ? notedEntry(entry) : undefined;
      if (noted !== undefined) {
        asked.push({ entry: noted, ...(after !== undefined && { after }) });
      }
    }
  }
  return {
    ...turn,
    prompt,
    ...(isWhole && { nth: countAbove(entries, index, prompt) }),
    ...evidenceIn(entries, index + 1, end),
    ...(said.length > 0 && { said }),
    asked,
    ...(outcome && { outcome }),
  };
}

/** An interrupted turn is offered again as long as it can be, and a full transcript may have room the next time. */
function keptOutcome(outcome: TurnOutcome): TurnOutcome | undefined {
  if (outcome.type === 'stopped') {
    const { type, stopReason } = outcome;
    return { type, stopReason };
  }
  const { failure } = outcome;
  const isOfTurn = failure.code !== 'cancelled' && failure.title !== transcriptFull().title;
  return isOfTurn ? { ...outcome, canResend: false } : undefined;
}

function countAbove(entries: readonly Entry[], index: number, prompt: NotedTurn['prompt']): number {
  let count = 0;
  for (let at = 0; at < index; at++) {
    const entry = entries[at];
    const isAlone = isPromptEntry(entry) && !isPromptEntry(entries[at - 1]);
    count += Number(isAlone && isPrompt(prompt, promptAt(entries, at)));
  }
  return count;
}

/** The text of the prompt that begins here; agents may replay one as several messages. */
export function promptAt(entries: readonly Entry[], start: number): string {
  const blocks: Block[] = [];
  for (let at = start; isPromptEntry(entries[at]); at++) {
    const entry = entries[at];
    blocks.push(...(entry?.kind === 'user' ? entry.blocks : []));
  }
  return plainText(blocks);
}
