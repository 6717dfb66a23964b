import * as l10n from '@vscode/l10n';
import type { SessionUpdate, SubagentPatch, ToolCallPatch } from '../../protocol/updates';
import type { Block } from '../../shared/transcript/content';
import type {
  SubagentState,
  ToolCallEntry,
  TranscriptChange,
} from '../../shared/transcript/entries';
import { callAbove } from '../transcript/callAbove';
import { isHistory } from '../transcript/reduce';
import { appendBlock, isFull } from '../transcript/reduceMessage';
import type { Transcript } from '../transcript/transcript';
import { Subagent } from './subagent';

/** Subagents of one session that are shown; what others do isn't kept. */
export const maxSubagents = 1_000;
/** Subagents that aren't shown but still known, so that their questions find the session. */
export const maxUnshownSubagents = 10_000;
/** Subagents of subagents: deeper ones are shown beside the one that started them. */
export const maxDepth = 8;
/** Calls of subagents without a session whose later updates may omit the parent. */
const maxCallers = 100_000;
/** Messages between sessions that can still be changed, for each subagent. */
const maxMessages = 1_000;

type MessageUpdate = Extract<
  SessionUpdate,
  { sessionUpdate: 'session_message' | 'session_message_chunk' }
>;

export interface SubagentsHost {
  readonly sessionId: string;
  readonly transcript: Transcript;
  isLive(): boolean;
  /**
   * Whether the session may take this id for a subagent: no open session and no other session's
   * subagent has it. From then on it gets that id's updates.
   */
  adopt(sessionId: string): boolean;
  /** The updates that came before the subagent was announced. */
  early(sessionId: string): readonly SessionUpdate[];
  /** Notes that these ids are no subagents of the session any more. */
  release(sessionIds: Iterable<string>): void;
  /** A terminal may be named for the first time, or described; `scope`: the number of the subagent in whose session. */
  shown(update: SessionUpdate, transcript: Transcript, scope: number): void;
  /** A subagent has begun or ended, or another of its facts in lists has changed. */
  changed(): void;
}

/**
 * The subagents of one session (SUB-1 to SUB-8), and those that they have started. An agent makes
 * them and owns them: nothing here prompts, loads or changes one.
 */
export class Subagents {
  readonly #host: SubagentsHost;
  #all: Subagent[] = [];
  readonly #bySession = new Map<string, Subagent>();
  /** Who announced a subagent: only they may tell more about it. `undefined`: the session itself. */
  readonly #owners = new Map<Subagent, Subagent | undefined>();
  /** Subagents without a session, by the id of the call that started them. */
  readonly #byCall = new Map<string, Subagent>();
  /** The subagent that made a call, for calls of the session's own updates. */
  readonly #callers = new Map<string, Subagent>();
  /** Stands for all that are too many to show. */
  #rest: Subagent | undefined;
  readonly #unshown = new Set<string>();

  constructor(host: SubagentsHost) {
    this.#host = host;
    const { transcript } = host;
    transcript.onDidChange((change) => {
      if (change.type === 'reset') {
        this.forget();
      } else {
        this.#note(change, 0);
      }
    });
    transcript.onDidChangeNested(({ number, change }) => this.#note(change, number));
  }

  /** The subagents that are at work or wait for an answer, in the order in which they were started. */
  get running(): readonly Subagent[] {
    return this.#all.filter(({ isRunning }) => isRunning);
  }

  get(number: number): Subagent | undefined {
    return this.#all[number - 1];
  }

  find(sessionId: string): Subagent | undefined {
    return this.#bySession.get(sessionId);
  }

  /** The subagent that made this call in the session's own updates, if one did. */
  findCaller({ toolCallId, parentCallId }: ToolCallPatch): Subagent | undefined {
    return (
      this.#callers.get(toolCallId) ??
      (parentCallId === undefined ? undefined : this.#startedBy(parentCallId))
    );
  }

  /**
   * Takes an update of the session, or of its subagent `from`, if it is about a subagent; returns
   * `false` if it belongs to the transcript of the session.
   */
  take(update: SessionUpdate, from?: Subagent): boolean {
    switch (update.sessionUpdate) {
      case 'subagent_update':
        this.#announced(update, from);
        return true;
      case 'session_message':
      case 'session_message_chunk':
        this.#message(update, from);
        return true;
      default:
        return this.#takeHistory(update, from);
    }
  }

  /** The subagents whose questions wait for an answer. */
  setAsking(numbers: ReadonlySet<number>): void {
    for (const subagent of this.#all) {
      subagent.asks(numbers.has(subagent.number));
    }
    this.#host.changed();
  }

  /** The agent is gone, or loads the session again: nobody says how its subagents went on (SUB-8). */
  lose(): void {
    for (const subagent of this.#all) {
      subagent.lose();
    }
    this.#host.changed();
  }

  /** The session is closed, or its transcript was reset: later updates name unknown sessions. */
  forget(): void {
    this.#host.release([...this.#bySession.keys(), ...this.#unshown]);
    this.#all = [];
    this.#bySession.clear();
    this.#owners.clear();
    this.#byCall.clear();
    this.#callers.clear();
    this.#unshown.clear();
    this.#rest = undefined;
  }

  #announced(patch: SubagentPatch, from: Subagent | undefined): void {
    const { sessionId } = patch;
    const known = this.#bySession.get(sessionId);
    if (known === undefined) {
      this.#add(patch, from);
    } else if (known !== this.#rest && this.#owners.get(known) === from) {
      known.update(patch);
      this.#host.changed();
    }
    // An owner never changes: neither another subagent nor the subagent itself can take it over.
  }

  #add(patch: SubagentPatch, from: Subagent | undefined): void {
    const { sessionId } = patch;
    const isFree = sessionId !== this.#host.sessionId && !this.#unshown.has(sessionId);
    if (!isFree || this.#isFull || !this.#host.adopt(sessionId)) {
      return;
    }
    if (this.#all.length >= maxSubagents) {
      this.#leaveOut(sessionId);
      return;
    }
    const subagent = this.#create(from, { sessionId });
    this.#bySession.set(sessionId, subagent);
    subagent.update(patch);
    for (const update of this.#host.early(sessionId)) {
      this.take(update, subagent);
    }
    this.#host.changed();
  }

  get #isFull(): boolean {
    return this.#unshown.size >= maxUnshownSubagents;
  }

  /** Counts a subagent more than can be shown: one entry has their number. */
  #leaveOut(sessionId: string): void {
    this.#unshown.add(sessionId);
    this.#rest ??= this.#create(undefined, {});
    this.#bySession.set(sessionId, this.#rest);
    const count = this.#unshown.size;
    this.#rest.update({
      title: count === 1 ? l10n.t('1 more subagent') : l10n.t('{0} more subagents', count),
      description: l10n.t('There are too many subagents to show what these do.'),
    });
  }

  #create(
    from: Subagent | undefined,
    ids: { readonly sessionId?: string; readonly callId?: string },
  ): Subagent {
    const isTooDeep = from !== undefined && from.depth >= maxDepth;
    const parent = isTooDeep ? from.parent : from;
    const { transcript } = this.#host;
    const subagent = new Subagent({
      ...transcript.nest(),
      within: parent?.transcript ?? transcript,
      parent,
      depth: (parent?.depth ?? 0) + 1,
      ...ids,
      isLive: () => this.#host.isLive(),
    });
    this.#all.push(subagent);
    this.#owners.set(subagent, from);
    return subagent;
  }

  #takeHistory(update: SessionUpdate, from: Subagent | undefined): boolean {
    const by = this.#doneBy(update) ?? from;
    if (by === undefined) {
      if (isCall(update) && update.subagentIds !== undefined) {
        // Once the call has its entry.
        this.#host.transcript.apply(update);
        this.#link(update, undefined);
        return true;
      }
      return false;
    }
    if (by === this.#rest) {
      return true;
    }
    if (update.sessionUpdate === 'session_info_update') {
      if (update.title) {
        by.update({ title: update.title });
        this.#host.changed();
      }
    } else if (update.sessionUpdate === 'state_update') {
      by.does(update);
      this.#host.changed();
    } else if (isHistory(update) || update.sessionUpdate === '_acp_sessions_unknown') {
      by.transcript.apply(update);
      this.#host.shown(update, by.transcript, from?.number ?? 0);
      if (isCall(update)) {
        this.#link(update, by);
      }
    }
    return true;
  }

  /** The subagent without a session that an update names, or whose call it is about (SUB-3). */
  #doneBy(update: SessionUpdate): Subagent | undefined {
    if (isCall(update) || update.sessionUpdate === 'tool_call_content_chunk') {
      return update.parentCallId === undefined && this.#callers.size === 0
        ? undefined
        : this.#doneByCall(update);
    }
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
      case 'user_message':
      case 'agent_message':
      case 'agent_thought': {
        const { parentCallId } = update;
        return parentCallId === undefined ? undefined : this.#startedBy(parentCallId);
      }
      default:
        return undefined;
    }
  }

  #doneByCall(update: ToolCallPatch): Subagent | undefined {
    const { toolCallId } = update;
    if (this.#host.transcript.toolCall(toolCallId) !== undefined) {
      // It has an entry already, and entries don't move.
      return undefined;
    }
    const caller = this.findCaller(update);
    if (caller !== undefined && this.#callers.size < maxCallers) {
      this.#callers.set(toolCallId, caller);
    }
    return caller;
  }

  /** The subagent of a call, which is shown as soon as it does something. */
  #startedBy(callId: string): Subagent | undefined {
    const known = this.#byCall.get(callId);
    if (known !== undefined || this.#all.length >= maxSubagents) {
      return known;
    }
    const by = this.#callers.get(callId);
    const transcript = by?.transcript ?? this.#host.transcript;
    const call = transcript.toolCall(callId);
    if (call === undefined) {
      // A call that was never reported, or one that is its own parent.
      return undefined;
    }
    const near = callAbove(transcript.entries, callId);
    const subagent = this.#create(by, { callId });
    this.#byCall.set(callId, subagent);
    subagent.update({ title: call.title, state: getState(call) });
    if (near !== undefined && subagent.parent === by) {
      subagent.startedBy(near);
    }
    this.#host.changed();
    return subagent;
  }

  /** Links the subagents whose sessions a call names to that call (SUB-2). */
  #link({ toolCallId, subagentIds }: ToolCallPatch, by: Subagent | undefined): void {
    for (const sessionId of subagentIds ?? []) {
      const subagent = this.#bySession.get(sessionId);
      if (subagent !== undefined && subagent.parent === by && subagent.call === undefined) {
        const { entries } = by?.transcript ?? this.#host.transcript;
        const near = callAbove(entries, toolCallId, subagent.index - 1);
        if (near !== undefined) {
          subagent.startedBy(near);
        }
      }
    }
  }

  /** Gives a subagent without a session the state of its call; `number` is the transcript in which the call changed. */
  #note(change: TranscriptChange, number: number): void {
    if (change.type === 'updated' && this.#byCall.size > 0) {
      const entry = this.#host.transcript.getEntries(number)[change.index];
      if (entry?.kind === 'toolCall') {
        this.#follow(entry);
      }
    }
  }

  #follow(call: ToolCallEntry): void {
    const subagent = this.#byCall.get(call.toolCallId);
    if (subagent !== undefined) {
      subagent.update({ title: call.title, state: getState(call) });
      if (!subagent.isRunning) {
        subagent.transcript.settle();
      }
      this.#host.changed();
    }
  }

  /**
   * A message between two sessions (SUB-4). Both report it; it is shown once, in the transcript of
   * the subagent.
   */
  #message(update: MessageUpdate, from: Subagent | undefined): void {
    if (from === undefined || from === this.#rest) {
      return;
    }
    const { transcript, messages } = from;
    const { messageId } = update;
    const index = messages.get(messageId);
    const before = index === undefined ? undefined : transcript.entries[index];
    const isChunk = update.sessionUpdate === 'session_message_chunk';
    const content: readonly Block[] | undefined = isChunk ? [update.content] : update.content;
    if (content === undefined) {
      return;
    }
    if (index !== undefined && (before?.kind === 'user' || before?.kind === 'agent')) {
      const blocks = isChunk ? appended(before.blocks, update.content) : content;
      transcript.replace(index, { ...before, blocks });
      return;
    }
    if (content.length > 0 && messages.size < maxMessages) {
      const isOwn = !isChunk && update.senderSessionId === from.sessionId;
      const sessionUpdate = isOwn ? 'agent_message_chunk' : 'user_message_chunk';
      const id = `session ${messageId}`;
      for (const block of content) {
        transcript.apply({ sessionUpdate, content: block, messageId: id });
      }
      messages.set(messageId, transcript.entries.length - 1);
    }
  }
}

function isCall(
  update: SessionUpdate,
): update is Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }> {
  return update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update';
}

function appended(blocks: readonly Block[], block: Block): readonly Block[] {
  return isFull(blocks) ? blocks : appendBlock(blocks, block);
}

function getState({ status }: ToolCallEntry): SubagentState {
  switch (status) {
    case 'pending':
    case 'in_progress':
    case 'paused':
      return { kind: 'running' };
    case 'completed':
      return { kind: 'idle', stopReason: 'end_turn' };
    case 'cancelled':
      return { kind: 'idle', stopReason: 'cancelled' };
    case 'failed':
    case 'rejected':
      return { kind: 'idle', error: '' };
    case 'interrupted':
      return { kind: 'unknown' };
  }
}
