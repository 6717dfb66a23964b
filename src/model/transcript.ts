import type { SessionUpdate } from '../protocol/updates';
import type { Entry, TerminalState, ToolCallEntry, TranscriptChange } from '../shared/entries';
import { Emitter } from '../util/emitter';
import { EntryList } from './entryList';
import { reduce } from './reduce';

/** The history of one session: entries in the order in which things happened. */
export class Transcript {
  readonly #list = new EntryList();
  readonly #changed = new Emitter<TranscriptChange>();
  /** One change per update, while it is applied. */
  readonly onDidChange = this.#changed.event;
  #updates = 0;

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
    const change = reduce(this.#list, update);
    if (change !== undefined) {
      this.#changed.fire(change);
    }
  }

  /** Forgets everything: a replay follows (T-10). */
  reset(): void {
    this.#list.clear();
    this.#updates = 0;
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
    this.#changed.fire({ type: 'appended', from: index, to: index + 1 });
    return index;
  }

  replace(index: number, entry: Entry): void {
    this.#list.replace(index, entry);
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
