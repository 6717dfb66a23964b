import type { SessionUpdate } from '../../protocol/updates';
import type {
  Entry,
  TerminalState,
  ToolCallEntry,
  TranscriptChange,
} from '../../shared/transcript/entries';
import { Emitter } from '../../util/emitter';
import { transcriptFull } from '../failures';
import { chosenKind } from '../requests/chosenKind';
import { EntryList } from './entryList';
import { withoutBulk } from './letGo';
import { reduce } from './reduce';
import { weightOf } from './weight';

/**
 * What one transcript may hold, in the unit of `weightOf`: a large session with all its images, and a small
 * part of what a window has.
 */
const mostKept = 256 * 1024 * 1024;

/** The history of one session: entries in the order in which things happened. */
export class Transcript {
  readonly #list = new EntryList();
  readonly #changed = new Emitter<TranscriptChange>();
  /** One change per update, while it is applied. */
  readonly onDidChange = this.#changed.event;
  #updates = 0;
  readonly #mostKept: number;
  /** How much may come until it is weighed again: the weight itself would be too much work for each update. */
  #room: number;
  #isFull = false;

  constructor(most = mostKept) {
    this.#mostKept = most;
    this.#room = most;
  }

  /** A live view: entries are replaced in it and added at its end. */
  get entries(): readonly Entry[] {
    return this.#list.all;
  }

  /** Updates received since the last reset, those that are no history included. */
  get updates(): number {
    return this.#updates;
  }

  apply(update: SessionUpdate): void {
    this.#updates++;
    const change = this.#isFull ? undefined : reduce(this.#list, update);
    if (change === undefined) {
      return;
    }
    this.#changed.fire(change);
    this.#room -= roughWeightOf(update);
    if (this.#room < 0) {
      this.#makeRoom();
    }
  }

  /** Forgets everything: a replay follows (T-10). */
  reset(): void {
    this.#list.clear();
    this.#updates = 0;
    this.#room = this.#mostKept;
    this.#isFull = false;
    this.#changed.fire({ type: 'reset' });
  }

  /** Marks what will never finish: the replay has ended, or the agent is gone (T-16). */
  settle(): void {
    for (const index of this.#list.toolCalls.values()) {
      const entry = this.#list.at(index);
      if (entry?.kind === 'toolCall' && isUnfinished(entry.status)) {
        this.replace(index, { ...entry, status: 'interrupted' });
      }
    }
    for (const index of this.#list.compactions.values()) {
      const entry = this.#list.at(index);
      if (entry?.kind === 'compaction' && isUnfinished(entry.status)) {
        this.replace(index, { ...entry, status: 'interrupted' });
      }
    }
  }

  /** Adds an entry that no update made; returns its place. */
  add(entry: Entry): number {
    const index = this.#list.push(entry);
    if (entry.kind === 'user') {
      this.#list.sent = index;
    }
    this.#noteAnswer(entry);
    this.#changed.fire({ type: 'appended', from: index, to: index + 1 });
    return index;
  }

  replace(index: number, entry: Entry): void {
    this.#list.replace(index, entry);
    this.#noteAnswer(entry);
    this.#changed.fire({ type: 'updated', index });
  }

  toolCall(toolCallId: string): ToolCallEntry | undefined {
    const entry = this.#list.at(this.#list.toolCalls.get(toolCallId) ?? -1);
    return entry?.kind === 'toolCall' ? entry : undefined;
  }

  /** Whether the agent hasn't said how this call ended. */
  isOpen(toolCallId: string): boolean {
    const status = this.toolCall(toolCallId)?.status;
    return status !== undefined && isUnfinished(status);
  }

  /** CA-2: what is unfinished from this place on shows as cancelled; the agent's later word wins (CA-4). */
  cancelUnfinished(from: number): void {
    for (const index of this.#list.toolCalls.values()) {
      const entry = this.#list.at(index);
      if (index >= from && entry?.kind === 'toolCall' && isUnfinished(entry.status)) {
        this.replace(index, { ...entry, status: 'cancelled' });
      }
    }
  }

  /** PR-7: from this place on the agent has dropped everything from its context. */
  drop(from: number): void {
    for (let index = from; index < this.#list.length; index++) {
      const entry = this.#list.at(index);
      if (entry !== undefined && canBeDropped(entry)) {
        this.replace(index, { ...entry, dropped: true });
      }
    }
  }

  /** The newest call that shows a terminal shows its output and state from now on (TE-9). */
  setTerminal(terminalId: string, output: string, state: TerminalState): void {
    const index = this.#callShowing(terminalId);
    const entry = index === undefined ? undefined : this.#list.at(index);
    if (index !== undefined && entry?.kind === 'toolCall') {
      this.replace(index, {
        ...entry,
        terminalOutput: { ...entry.terminalOutput, [terminalId]: output },
        terminals: { ...entry.terminals, [terminalId]: state },
      });
    }
  }

  /** A call that was rejected ends as that, whatever its agent calls it; what is allowed later can fail. */
  #noteAnswer(entry: Entry): void {
    const kind = entry.kind === 'permission' ? chosenKind(entry) : undefined;
    if (entry.kind !== 'permission' || kind === undefined) {
      return;
    }
    if (kind === 'reject_once' || kind === 'reject_always') {
      this.#list.rejected.add(entry.toolCall.toolCallId);
    } else {
      this.#list.rejected.delete(entry.toolCall.toolCallId);
    }
  }

  /** Lets go of what is large, the oldest first; when that isn't enough, nothing further is taken. */
  #makeRoom(): void {
    const most = this.#mostKept;
    let kept = this.entries.reduce((sum, entry) => sum + weightOf(entry), 0);
    if (kept > most) {
      for (let index = 0; index < this.#list.length && kept > most / 2; index++) {
        kept -= this.#lighten(index);
      }
      if (kept > most / 2) {
        this.#isFull = true;
        const outcome = { type: 'failed', failure: transcriptFull(), canResend: false } as const;
        this.add({ kind: 'turn', outcome });
      }
    }
    this.#room = Math.max(most - kept, most / 4);
  }

  /** How much lighter the entry has become. */
  #lighten(index: number): number {
    const entry = this.#list.at(index);
    const lighter = entry && withoutBulk(entry);
    const gain = lighter === undefined ? 0 : weightOf(entry) - weightOf(lighter);
    if (lighter !== undefined && gain > 0) {
      this.replace(index, lighter);
      return gain;
    }
    return 0;
  }

  #callShowing(terminalId: string): number | undefined {
    for (let index = this.#list.length - 1; index >= 0; index--) {
      const entry = this.#list.at(index);
      if (entry?.kind === 'toolCall' && showsTerminal(entry, terminalId)) {
        return index;
      }
    }
    return undefined;
  }
}

/** No less than what it adds, quick for the updates that come most. */
function roughWeightOf(update: SessionUpdate): number {
  const { sessionUpdate } = update;
  const isChunk =
    sessionUpdate === 'agent_message_chunk' || sessionUpdate === 'agent_thought_chunk';
  return isChunk && update.content.type === 'text'
    ? update.content.text.length + chunkWeight
    : weightOf(update);
}

/** What a chunk weighs that begins an entry, besides its text. */
const chunkWeight = 200;

function isUnfinished(status: string): boolean {
  return status === 'pending' || status === 'in_progress';
}

function canBeDropped(entry: Entry): entry is Extract<Entry, { readonly dropped?: true }> {
  return (
    entry.kind === 'user' ||
    entry.kind === 'agent' ||
    entry.kind === 'thought' ||
    entry.kind === 'toolCall'
  );
}

function showsTerminal({ content }: ToolCallEntry, terminalId: string): boolean {
  return content.some((item) => item.type === 'terminal' && item.terminalId === terminalId);
}
