import type { Failure } from '../failure';
import type {
  ElicitationAsk,
  ElicitationState,
  OfferedRule,
  PermissionOption,
  PermissionState,
} from '../requests/agentQuestions';
import type { TerminalSize } from '../terminal/terminalScreen';
import type { Block, FileLocation, PlanItem, ToolContent, ToolKind, ToolStatus } from './content';

/**
 * A transcript is a list of entries in chronological order. Entries are only appended or changed in
 * place, so an entry's index identifies it until a reload. The exception is a call of which a permission request tells
 * before the agent does: when the agent does, the call moves below what has come in between.
 */
export type Entry =
  | MessageEntry
  | ToolCallEntry
  | PlanEntry
  | CompactionEntry
  | PermissionEntry
  | ElicitationEntry
  | SubagentEntry
  | UnknownEntry
  | TurnEntry;

export type MessageKind = 'user' | 'agent' | 'thought';

/** Start and end of a turn, in milliseconds since the epoch. */
export interface TurnTimes {
  /** When the prompt was sent. */
  readonly began: number;
  /** Absent while the turn is running. */
  readonly ended?: number;
}

/** The tokens of a turn, as the agent counts them (US-5). `total` is of all kinds. */
export interface TurnUsage {
  readonly total: number;
  readonly input: number;
  readonly output: number;
  readonly thought?: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
}

/** What is known of a turn besides its entries. */
export interface TurnFacts extends TurnTimes {
  readonly usage?: TurnUsage;
}

/**
 * A prompt that was sent into a running turn (T-39). `refused`: the agent hasn't taken it, so it is
 * queued again. `unknown`: the agent's answer doesn't say.
 */
export type SteeringState = 'sending' | 'taken' | 'refused' | 'unknown';

export interface MessageEntry {
  readonly kind: MessageKind;
  readonly messageId?: string;
  /** The blocks; if there are none, the agent has cleared the message, and it isn't drawn. */
  readonly blocks: readonly Block[];
  /** When this client saw it begin, in ms since the epoch: no agent tells the times of its messages. */
  readonly seen?: number;
  /** Of a prompt that was sent from this client: ACP tells nothing of the turns of replayed ones. */
  readonly turn?: TurnFacts;
  /** The state of a prompt that this client has sent into a running turn. */
  readonly steering?: SteeringState;
  /** Set for a command of the agent's own program, which the agent has replayed: no turn begins with it. */
  readonly command?: true;
  /** Set when the agent has dropped it from its context (PR-7). */
  readonly dropped?: true;
}

/** `unknown`: the agent can't or no longer tells. `error`: what went wrong; it may be empty. */
export type SubagentState =
  | { readonly kind: 'running' | 'requires_action' | 'unknown' }
  | { readonly kind: 'idle'; readonly stopReason?: string; readonly error?: string };

/**
 * `interrupted`: the replay ended, or the agent exited, before the call completed (T-16).
 * `rejected`: it failed because the user, or one of their rules, didn't allow it.
 */
export type ToolCallState = ToolStatus | 'interrupted' | 'rejected';

export interface ToolCallEntry {
  readonly kind: 'toolCall';
  readonly toolCallId: string;
  readonly title: string;
  /** Programmatic name; only a secondary label (TO-8). */
  readonly name?: string;
  readonly toolKind: ToolKind;
  readonly status: ToolCallState;
  /** Set while a permission request about it waits for an answer, whatever its status. */
  readonly asked?: true;
  readonly content: readonly ToolContent[];
  readonly locations: readonly FileLocation[];
  /** Any JSON (TO-7); absent when the agent sent none. */
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** Output by terminal id, of this client's terminals and of those that the agent ran itself. */
  readonly terminalOutput?: ReadonlyMap<string, string>;
  /** The terminals whose state is known, by id: this client's (TE-9), and those of an agent that reports them (V2-TERM-5). */
  readonly terminals?: ReadonlyMap<string, TerminalState>;
  /** Set when the agent has dropped it from its context (PR-7). */
  readonly dropped?: true;
}

/** `isAgents`: the agent runs it itself, so it can't be opened here (V2-TERM-6); `size`: as far as the agent has said. */
export type TerminalState = { readonly isAgents?: true; readonly size?: TerminalSize } & (
  | { readonly kind: 'running' }
  | { readonly kind: 'exited'; readonly exitCode: number | null; readonly signal: string | null }
);

/** A plan of the session, replaced in place (PL-1). */
export interface PlanEntry {
  readonly kind: 'plan';
  /** Absent if a session has only one plan. */
  readonly planId?: string;
  readonly items: readonly PlanItem[];
  /** A plan that isn't a list; a plan with neither was removed, and isn't drawn. */
  readonly blocks?: readonly Block[];
  /** The file that the agent keeps a text in, in its own words. */
  readonly path?: string;
}

/** The agent compacted its context (CP-2); the history before it stays. */
export interface CompactionEntry {
  readonly kind: 'compaction';
  readonly compactionId: string;
  /** `in_progress`, `completed`, `failed`, `cancelled`, or any other string (CP-4). */
  readonly status: string;
  readonly summary: readonly Block[];
  readonly error?: string;
}

/** An agent's permission request and its outcome (PE-2). It stays in the transcript. */
export interface PermissionEntry {
  readonly kind: 'permission';
  /** Assigned by this client; unique in the window. */
  readonly requestId: number;
  /** The agent's own words for the question, and for what it is about. */
  readonly title?: string;
  readonly description?: string;
  /** The call as it was when the agent asked, since that is what the user decides about. */
  readonly toolCall: ToolCallEntry;
  /**
   * Index of the call's own entry, in whose row the request is drawn; absent unless that is close
   * above.
   */
  readonly call?: number;
  readonly options: readonly PermissionOption[];
  readonly state: PermissionState;
  /** The narrowest rule that would have allowed this, once it is known that there is one. */
  readonly rule?: OfferedRule;
  /** Set when this client asks, rather than the agent. */
  readonly own?: OwnAsk;
  readonly from?: Asker;
}

/**
 * A request that this client makes itself. The call's title names its subject: the file, the
 * command line or the folder.
 */
export type OwnAsk =
  | { readonly act: 'write' }
  /** One change of several files, by a tool of the editor; the title says what is done. */
  | { readonly act: 'edit' }
  | { readonly act: 'command'; readonly folder: string }
  /** What a tool of the editor runs: a task, tests. */
  | { readonly act: 'run'; readonly folder: string }
  /** A folder that was named only by the agent. */
  | { readonly act: 'folder' };

/** An agent's elicitation and its outcome (EL-1). */
export interface ElicitationEntry {
  readonly kind: 'elicitation';
  readonly requestId: number;
  readonly message: string;
  readonly ask: ElicitationAsk;
  readonly state: ElicitationState;
  readonly from?: Asker;
}

/** A subagent of the session (SUB-1), with its own transcript. */
export interface SubagentEntry {
  readonly kind: 'subagent';
  /** The subagent's number in the session, from 1; see `placeIn`. */
  readonly number: number;
  /** The id of the subagent's session, for agents that give it one, otherwise that of the call that started it. */
  readonly sessionId?: string;
  readonly callId?: string;
  readonly title: string;
  readonly description?: string;
  readonly state: SubagentState;
  /** A live view of its transcript. */
  readonly entries: readonly Entry[];
  /** Indexes of its tool calls, by their ids; live as well. */
  readonly calls: ReadonlyMap<string, number>;
  /** When it was first and last seen working; absent for a replay, which has no times. */
  readonly times?: TurnTimes;
  /** Whether it can be stopped alone. */
  readonly canCancel?: true;
  /** Index of the call that started it, in whose row it is drawn; absent unless that is close above. */
  readonly call?: number;
}

/** Who asks, if it isn't the session itself. */
export interface Asker {
  /** See `SubagentEntry`. */
  readonly number: number;
  readonly title: string;
  /** The subagent that started it, if it wasn't the session itself. */
  readonly parent?: string;
}

/** Something that an agent has sent and that isn't known here, by the agent's name for it. */
export interface Unknown {
  readonly what: 'update' | 'request';
  readonly name: string;
}

/** All of one name in a turn are one entry. */
export interface UnknownEntry extends Unknown {
  readonly kind: 'unknown';
  /** The first one as JSON, cut if it is long. */
  readonly raw: string;
  readonly count: number;
}

/** The end of a turn that didn't end normally, or without an answer. */
interface TurnEntry {
  readonly kind: 'turn';
  readonly outcome: TurnOutcome;
}

export type TurnOutcome =
  /** Any stop reason, including unknown ones (PR-6); `end_turn` only if the agent has answered nothing. */
  | {
      readonly type: 'stopped';
      readonly stopReason: string;
      /** Set while the prompt that was answered with nothing can be sent again. */
      readonly canResend?: true;
    }
  /** `canResend`: whether the prompt was kept and can be sent again. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly canResend: boolean };

/** Whether this is the normal end of a turn, of which an entry only tells if the agent has answered nothing. */
export function endsTurn(outcome: TurnOutcome): boolean {
  return outcome.type === 'stopped' && outcome.stopReason === 'end_turn';
}

/** A change to a transcript; the indexes are those of its entries. */
export type TranscriptChange =
  | { readonly type: 'appended'; readonly from: number; readonly to: number }
  | { readonly type: 'updated'; readonly index: number }
  | { readonly type: 'reset' };

/** The index of the first entry that a change concerns. */
export function firstChanged(change: TranscriptChange): number {
  switch (change.type) {
    case 'appended':
      return change.from;
    case 'updated':
      return change.index;
    case 'reset':
      return 0;
  }
}
