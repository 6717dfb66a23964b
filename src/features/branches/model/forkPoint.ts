import { startsTurn } from '../../../model/transcript/turnStarts';
import { isWholeId } from '../../../protocol/bounds';
import type { Block } from '../../../shared/transcript/content';
import type { Entry, MessageEntry } from '../../../shared/transcript/entries';

/** Characters of a prompt's text that are compared. */
const compared = 200;

/** A place in a conversation to fork at: before a prompt. */
export interface ForkPoint {
  /** The number of the prompt's turn, counted from 1. */
  readonly turn: number;
  /**
   * The message with which the fork should end: the last one before the prompt that has an id. Only of the turn before
   * it: with an earlier one, the fork would lack a whole turn. `undefined` if there is none.
   */
  readonly at: string | undefined;
}

/** The turns of a conversation, as far as a fork's are compared with them. */
export interface Conversation {
  readonly turns: readonly ConversationTurn[];
}

interface ConversationTurn {
  /** The beginning of the prompt's text, as it is compared. */
  readonly prompt: string;
  /** Whether anything follows the prompt. */
  readonly isAnswered: boolean;
  readonly calls: number;
  /** The id of the last message that has one. */
  readonly lastMessage: string | undefined;
}

/** `undefined` if this entry isn't a prompt with which a turn begins. */
export function findForkPoint(entries: readonly Entry[], prompt: number): ForkPoint | undefined {
  if (!startsTurn(entries, prompt)) {
    return undefined;
  }
  const { turns } = getConversation(entries.slice(0, prompt));
  const at = turns.at(-1)?.lastMessage;
  return { turn: turns.length + 1, at: at !== undefined && isWholeId(at) ? at : undefined };
}

/** The turns of a transcript. What comes before the first prompt isn't compared. */
export function getConversation(entries: readonly Entry[]): Conversation {
  const turns: ConversationTurn[] = [];
  let turn: ConversationTurn | undefined;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'user' && startsTurn(entries, index)) {
      turn = { prompt: getText(entry), isAnswered: false, calls: 0, lastMessage: entry.messageId };
      turns.push(turn);
    } else if (turn !== undefined) {
      turn = grown(turn, entry);
      turns[turns.length - 1] = turn;
    }
  }
  return { turns };
}

function grown(turn: ConversationTurn, entry: Entry): ConversationTurn {
  switch (entry.kind) {
    case 'user':
      return { ...turn, lastMessage: entry.messageId ?? turn.lastMessage };
    case 'agent':
      return { ...turn, isAnswered: true, lastMessage: entry.messageId ?? turn.lastMessage };
    case 'toolCall':
      return { ...turn, isAnswered: true, calls: turn.calls + 1 };
    // An agent may fork only at what it said: thoughts, plans and questions are no such places.
    default:
      return turn;
  }
}

/** Agents trim prompts, change their line ends, and may replay only the beginning of a long one. */
function getText({ blocks }: MessageEntry): string {
  return blocks
    .map(textOfBlock)
    .join('')
    .slice(0, compared * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, compared);
}

function textOfBlock(block: Block): string {
  return block.type === 'text' ? block.text : '';
}
