import type { SessionUpdate } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';
import type { Entry } from '../../shared/transcript/entries';
import { isEmpty } from '../../shared/transcript/isEmpty';
import type { Draft } from '../../shared/transcript/prompt';
import type { Transcript } from '../transcript/transcript';

/** The word about a turn that ended without an answer; it goes if one still comes (T-20). */
export class SilentEnd {
  readonly #transcript: Transcript;
  /** Index of its entry, and the prompt. */
  #end: { readonly index: number; readonly draft: Draft } | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The turn of the prompt with this index has ended normally. */
  note(prompt: number, draft: Draft): void {
    const transcript = this.#transcript;
    if (!hasAnswer(transcript.entries, prompt)) {
      const index = transcript.add({ kind: 'turn', outcome: { ...ended, canResend: true } });
      this.#end = { index, draft };
    }
  }

  /** Call before the update is shown. */
  hear(update: SessionUpdate): void {
    if (this.#end !== undefined && isAnswer(update)) {
      this.#transcript.replace(this.#end.index, { kind: 'agent', blocks: [] });
      this.#end = undefined;
    }
  }

  /** The prompt to send again, if this entry tells of its turn. */
  take(index: number): Draft | undefined {
    return this.#end?.index === index ? this.over() : undefined;
  }

  /** Another turn begins: the prompt can't be sent again any more. Returns it. */
  over(): Draft | undefined {
    const end = this.#end;
    this.#end = undefined;
    if (end !== undefined) {
      this.#transcript.replace(end.index, { kind: 'turn', outcome: ended });
    }
    return end?.draft;
  }

  /** The transcript was reset: the index is void. */
  forget(): void {
    this.#end = undefined;
  }
}

const ended = { type: 'stopped', stopReason: 'end_turn' } as const;

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
    case 'unknown':
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
