import type { SessionUpdate } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';
import type { Entry } from '../../shared/transcript/entries';
import { isEmpty } from '../../shared/transcript/isEmpty';
import type { Transcript } from '../transcript/transcript';

/** The word about a turn that ended without an answer; it goes if one still comes (T-20). */
export class SilentEnd {
  readonly #transcript: Transcript;
  /** Index of its entry. */
  #index: number | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The turn of the prompt with this index has ended normally. */
  note(prompt: number): void {
    const transcript = this.#transcript;
    if (!hasAnswer(transcript.entries, prompt)) {
      const outcome = { type: 'stopped', stopReason: 'end_turn' } as const;
      this.#index = transcript.add({ kind: 'turn', outcome });
    }
  }

  /** Call before the update is shown. */
  hear(update: SessionUpdate): void {
    if (this.#index !== undefined && isAnswer(update)) {
      this.#transcript.replace(this.#index, { kind: 'agent', blocks: [] });
      this.#index = undefined;
    }
  }

  /** Another turn begins, or the transcript was reset. */
  forget(): void {
    this.#index = undefined;
  }
}

/**
 * Whether the agent has answered this prompt: with more than thoughts. One that was sent into its turn, and that the
 * agent may not have taken, leaves that open: its entry may become that of the next turn.
 */
function hasAnswer(entries: readonly Entry[], prompt: number): boolean {
  for (let index = prompt + 1; index < entries.length; index++) {
    const entry = entries[index];
    if (entry !== undefined && saysSomething(entry)) {
      return true;
    }
  }
  return false;
}

function saysSomething(entry: Entry): boolean {
  switch (entry.kind) {
    case 'user':
      return entry.steering !== undefined && entry.steering !== 'taken';
    case 'thought':
    case 'turn':
      return false;
    case 'agent':
      return entry.blocks.some(isSomething);
    default:
      return !isEmpty(entry);
  }
}

function isAnswer(update: SessionUpdate): boolean {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return isSomething(update.content);
    case 'agent_message':
      return update.content?.some(isSomething) === true;
    case 'tool_call':
    case 'tool_call_update':
    case 'plan':
    case 'compaction_update':
    case 'subagent_update':
      return true;
    default:
      return false;
  }
}

function isSomething(block: Block): boolean {
  return block.type !== 'text' || /\S/.test(block.text);
}
