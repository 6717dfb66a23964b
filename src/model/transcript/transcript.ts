import type { SessionUpdate } from '../../protocol/updates';
import { isUnfinished, type PlanItem } from '../../shared/transcript/content';
import type {
  Entry,
  TerminalState,
  ToolCallEntry,
  TranscriptChange,
} from '../../shared/transcript/entries';
import { indexAt, numberAt, placeIn } from '../../shared/transcript/places';
import { Emitter } from '../../util/emitter';
import { measureWeight } from '../../util/weight';
import { transcriptFull } from '../failures/failures';
import { noteQuestion, stopped } from './askedCalls';
import { EntryList } from './entryList';
import { withoutBulk } from './letGo';
import { reduce } from './reduce';
import { type ToolCallUpdate, withTerminal } from './reduceToolCall';

/**
 * The weight that one transcript may reach, in the unit of `measureWeight`: enough for a large session
 * with all its images, and a small part of a window's memory.
 */
const maxKeptWeight = 256 * 1024 * 1024;

/** A change to the transcript of a subagent. */
export interface NestedChange {
  readonly number: number;
  readonly change: TranscriptChange;
  /** The place of the subagent's entry, see `placeIn`. */
  readonly place: number;
  /** Index of the session's own entry in which all of this is. */
  readonly row: number;
}

/** The history of one session: entries in the order in which they happened. */
export class Transcript {
  readonly #list = new EntryList();
  readonly #changed = new Emitter<TranscriptChange>();
  /** Fires synchronously, once for each change. */
  readonly onDidChange = this.#changed.event;
  readonly #moved = new Emitter<ReadonlyMap<number, number>>();
  /** Fires with the new indexes of entries by their former ones, before `onDidChange` fires for each of them. */
  readonly onDidMove = this.#moved.event;
  /** Tells the time of what is received, unless that is history that is replayed. */
  clock: () => number | undefined = () => undefined;
  #updates = 0;
  readonly #maxKept: number;
  /** The transcript of the session, which for one of a subagent bounds both together. */
  readonly #root: Transcript;
  /** The number of the subagent whose transcript this is, from 1; see `placeIn`. */
  readonly #number: number;
  /** See `NestedChange`. */
  #place = 0;
  #row = 0;
  /** The transcripts of all of the session's subagents, by their number less one. */
  #nested: Transcript[] = [];
  readonly #changedNested = new Emitter<NestedChange>();
  /** Fires synchronously, once for each change to the transcript of a subagent. */
  readonly onDidChangeNested = this.#changedNested.event;
  /**
   * Weight that may be added before the next weighing: weighing the transcript for each update
   * would cost too much.
   */
  #room: number;
  #isFull = false;

  constructor(most = maxKeptWeight, root?: Transcript) {
    this.#maxKept = most;
    this.#room = most;
    this.#root = root ?? this;
    this.#number = root === undefined ? 0 : root.#nested.length + 1;
    this.#list.onReorder = (to) => this.#moved.fire(to);
  }

  /** A new transcript for a subagent. */
  nest(): { readonly number: number; readonly transcript: Transcript } {
    const root = this.#root;
    const transcript = new Transcript(this.#maxKept, root);
    root.#nested.push(transcript);
    return { number: transcript.#number, transcript };
  }

  /** The entry at this place, which may be one of a subagent. */
  at(place: number): Entry | undefined {
    return this.getEntries(numberAt(place))[indexAt(place)];
  }

  /** A live view: entries are replaced in place and appended. */
  get entries(): readonly Entry[] {
    return this.#list.all;
  }

  /** The list that the agent has worked through since the last prompt, if it keeps one. */
  get checklist(): readonly PlanItem[] | undefined {
    return this.#list.checklist;
  }

  /** Indexes of the tool calls, by their ids; a live view. */
  get calls(): ReadonlyMap<string, number> {
    return this.#list.toolCalls;
  }

  /** The entries of the subagent with this number, if there is one. */
  getEntries(number: number): readonly Entry[] {
    return this.#in(number)?.entries ?? [];
  }

  /** Updates received since the last reset, including those that aren't history. */
  get updates(): number {
    return this.#updates;
  }

  apply(update: SessionUpdate): void {
    this.#root.#updates++;
    this.#list.now = this.#root.clock();
    const changes = this.#root.#isFull ? [] : reduce(this.#list, update);
    for (const change of changes) {
      this.#fire(change);
    }
    if (changes.length > 0) {
      this.#root.#took(estimateWeight(update));
    }
  }

  /**
   * Applies what a permission request says of its call. If the agent hasn't announced the call yet, it may not have sent
   * what leads to it either: the call then moves when it is announced. The entry of the request has to follow.
   */
  applyRequest(update: ToolCallUpdate): void {
    const { early, toolCalls, asked } = this.#list;
    const { toolCallId } = update;
    const isEarly = early.has(toolCallId) || !toolCalls.has(toolCallId);
    asked.set(toolCallId, asked.get(toolCallId) ?? new Set());
    this.apply(update);
    if (isEarly) {
      early.add(toolCallId);
    }
  }

  /** Forgets everything, because a replay follows (T-10). */
  reset(): void {
    this.#list.clear();
    this.#nested = [];
    this.#updates = 0;
    this.#room = this.#maxKept;
    this.#isFull = false;
    this.#fire({ type: 'reset' });
  }

  /**
   * Marks calls and compactions that can't finish any more: the replay has ended, or the agent is
   * gone (T-16).
   */
  settle(): void {
    for (const index of this.#list.toolCalls.values()) {
      const entry = this.#list.at(index);
      if (entry?.kind === 'toolCall' && isUnfinished(entry.status)) {
        this.replace(index, { ...entry, status: stopped(this.#list, entry, 'interrupted') });
      }
    }
    for (const index of this.#list.compactions.values()) {
      const entry = this.#list.at(index);
      if (entry?.kind === 'compaction' && isUnfinished(entry.status)) {
        this.replace(index, { ...entry, status: 'interrupted' });
      }
    }
    for (const nested of this.#nested) {
      nested.settle();
    }
  }

  /** Appends an entry that doesn't come from an update; returns its index. */
  add(entry: Entry): number {
    const index = this.#list.push(entry);
    // A message that the agent is writing continues across a prompt for its turn.
    if (entry.kind === 'user' && entry.steering === undefined) {
      this.#list.sent = index;
    }
    const nested = entry.kind === 'subagent' ? this.#in(entry.number) : undefined;
    if (nested !== undefined) {
      nested.#place = placeIn(this.#number, index);
      nested.#row = this === this.#root ? index : this.#row;
    }
    this.#noteQuestion(entry);
    this.#fire({ type: 'appended', from: index, to: index + 1 });
    this.#root.#took(measureWeight(entry));
    return index;
  }

  replace(index: number, entry: Entry): void {
    this.#list.replace(index, entry);
    this.#noteQuestion(entry);
    this.#fire({ type: 'updated', index });
  }

  /** Whether there is a message of the user with this unique id. */
  hasMessage(messageId: string): boolean {
    return this.#list.messages.user.has(messageId);
  }

  /**
   * The agent has told the unique id of the prompt with this index: what it says of that message
   * belongs there (V2-TURN-7). Returns whether it had sent the message before, whose content moves there.
   */
  nameMessage(index: number, messageId: string): boolean {
    const entry = this.#list.at(index);
    if (entry?.kind !== 'user') {
      return false;
    }
    const { user } = this.#list.messages;
    const earlier = user.get(messageId)?.indexes ?? [];
    user.set(messageId, { indexes: [index], open: 0 });
    let { blocks } = entry;
    for (const at of earlier) {
      // The agent has sent it with other words, and before it told that it is this one.
      const shown = this.#list.at(at);
      if (shown?.kind === 'user') {
        blocks = blocks === entry.blocks ? shown.blocks : [...blocks, ...shown.blocks];
        this.replace(at, { ...shown, blocks: [] });
      }
    }
    this.replace(index, { ...entry, messageId, blocks });
    return earlier.length > 0;
  }

  toolCall(toolCallId: string): ToolCallEntry | undefined {
    const entry = this.#list.at(this.#list.toolCalls.get(toolCallId) ?? -1);
    return entry?.kind === 'toolCall' ? entry : undefined;
  }

  /** Whether this call is still pending or in progress. */
  isOpen(toolCallId: string): boolean {
    const status = this.toolCall(toolCallId)?.status;
    return status !== undefined && isUnfinished(status);
  }

  /** Whether a call from this index on is still pending or in progress. */
  hasUnfinished(from: number): boolean {
    for (const index of this.#list.toolCalls.values()) {
      const entry = this.#list.at(index);
      if (index >= from && entry?.kind === 'toolCall' && isUnfinished(entry.status)) {
        return true;
      }
    }
    return false;
  }

  /**
   * CA-2: shows the calls that are unfinished from this index on as canceled; a later status from
   * the agent wins (CA-4).
   */
  cancelUnfinished(from: number): void {
    for (const index of this.#list.toolCalls.values()) {
      const entry = this.#list.at(index);
      if (index >= from && entry?.kind === 'toolCall' && isUnfinished(entry.status)) {
        this.replace(index, { ...entry, status: stopped(this.#list, entry, 'cancelled') });
      }
    }
  }

  /** The turn is over: calls that the user has rejected don't continue, even if the agent says nothing more of them. */
  endRejected(): void {
    for (const toolCallId of this.#list.rejected) {
      const index = this.#list.toolCalls.get(toolCallId) ?? -1;
      const entry = this.#list.at(index);
      if (entry?.kind === 'toolCall' && isUnfinished(entry.status)) {
        this.replace(index, { ...entry, status: 'rejected' });
      }
    }
    for (const nested of this.#nested) {
      nested.endRejected();
    }
  }

  /** PR-7: marks the entries from this index on as dropped from the agent's context. */
  drop(from: number): void {
    for (let index = from; index < this.#list.length; index++) {
      const entry = this.#list.at(index);
      if (entry !== undefined && canBeDropped(entry)) {
        this.replace(index, { ...entry, dropped: true });
      }
    }
  }

  /** Shows the output and state of a terminal in the newest call that contains it (TE-9). */
  setTerminal(terminalId: string, output: string, state: TerminalState): void {
    const index = this.#callShowing(terminalId);
    if (index !== undefined) {
      this.setTerminalAt(index, terminalId, output, state);
    }
  }

  /** Shows the output and state of a terminal in the call with this index. */
  setTerminalAt(index: number, terminalId: string, output: string, state: TerminalState): void {
    const entry = this.#list.at(index);
    if (entry?.kind === 'toolCall') {
      const shown = withTerminal(entry, terminalId, output, state);
      const before = entry.terminalOutput?.get(terminalId)?.length ?? 0;
      this.replace(index, shown);
      this.#root.#took(Math.max(0, output.length - before));
    }
  }

  /** A call doesn't seem to run while a question about it waits, and ends as `rejected` unless a later permission lifts that. */
  #noteQuestion(question: Entry): void {
    if (question.kind === 'permission') {
      const transcript = this.#in(question.from?.number ?? 0) ?? this;
      const list = transcript.#list;
      const index = list.toolCalls.get(question.toolCall.toolCallId) ?? -1;
      const call = list.at(index);
      if (call?.kind === 'toolCall') {
        const noted = noteQuestion(list, call, question);
        if (noted.status !== call.status || noted.asked !== call.asked) {
          transcript.replace(index, noted);
        }
      }
    }
  }

  /** The transcript of the session, or of the subagent with this number. */
  #in(number: number): Transcript | undefined {
    return number === 0 ? this.#root : this.#root.#nested[number - 1];
  }

  #fire(change: TranscriptChange): void {
    this.#changed.fire(change);
    // Not for one that a reset has dropped.
    if (this.#root !== this && this.#in(this.#number) === this) {
      const number = this.#number;
      this.#root.#changedNested.fire({ number, change, place: this.#place, row: this.#row });
    }
  }

  #took(weight: number): void {
    this.#room -= weight;
    if (this.#room < 0) {
      this.#makeRoom();
    }
  }

  /** Drops bulky content, oldest first; if that isn't enough, no further updates are taken in. */
  #makeRoom(): void {
    const most = this.#maxKept;
    let kept = this.entries.reduce((sum, entry) => sum + measureWeight(entry), 0);
    const isTooMuch = kept > most;
    if (isTooMuch) {
      // What subagents did matters less than the conversation.
      for (const transcript of [...this.#nested, this]) {
        for (let index = 0; index < transcript.#list.length && kept > most / 2; index++) {
          kept -= transcript.#lighten(index);
        }
      }
    }
    this.#room = Math.max(most - kept, most / 4);
    if (isTooMuch && kept > most / 2 && !this.#isFull) {
      this.#isFull = true;
      const outcome = { type: 'failed', failure: transcriptFull(), canResend: false } as const;
      this.add({ kind: 'turn', outcome });
    }
  }

  /** Returns the weight that was saved. */
  #lighten(index: number): number {
    const entry = this.#list.at(index);
    const lighter = entry && withoutBulk(entry);
    const gain = lighter === undefined ? 0 : measureWeight(entry) - measureWeight(lighter);
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

/** A lower bound of the weight that an update adds; cheap for the most frequent updates. */
function estimateWeight(update: SessionUpdate): number {
  const { sessionUpdate } = update;
  const isChunk =
    sessionUpdate === 'agent_message_chunk' || sessionUpdate === 'agent_thought_chunk';
  return isChunk && update.content.type === 'text'
    ? update.content.text.length + chunkWeight
    : measureWeight(update);
}

/** Weight of an entry that a chunk begins, without its text. */
const chunkWeight = 200;

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
