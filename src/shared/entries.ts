import type { Block, FileLocation, PlanItem, ToolContent, ToolKind, ToolStatus } from './content';
import type { Failure } from './failure';
import type {
  ElicitationAsk,
  ElicitationState,
  PermissionOption,
  PermissionState,
} from './requests';

/**
 * A transcript is a list of entries in the order in which things happened. Entries are only ever
 * added at the end or changed in place, so an entry's index is its identity until a reload.
 */
export type Entry =
  | MessageEntry
  | ToolCallEntry
  | PlanEntry
  | CompactionEntry
  | PermissionEntry
  | ElicitationEntry
  | TurnEntry;

export type MessageKind = 'user' | 'agent' | 'thought';

/** Of a turn, in ms since the epoch. */
export interface TurnTimes {
  /** When its prompt was sent. */
  readonly began: number;
  /** Absent while it runs. */
  readonly ended?: number;
}

export interface MessageEntry {
  readonly kind: MessageKind;
  readonly messageId?: string;
  readonly blocks: readonly Block[];
  /** Of a prompt that was sent from here: ACP tells no times of those that are replayed. */
  readonly turn?: TurnTimes;
  /** The agent has dropped it from its context (PR-7). */
  readonly dropped?: true;
}

/**
 * `interrupted`: the replay ended, or the agent went, before the call did (T-16). `rejected`: it failed because a
 * person or their rule didn't allow it.
 */
export type ToolCallState = ToolStatus | 'cancelled' | 'interrupted' | 'rejected';

export interface ToolCallEntry {
  readonly kind: 'toolCall';
  readonly toolCallId: string;
  readonly title: string;
  /** Programmatic name, a secondary label only (TO-8). */
  readonly name?: string;
  readonly toolKind: ToolKind;
  readonly status: ToolCallState;
  readonly content: readonly ToolContent[];
  readonly locations: readonly FileLocation[];
  /** Any JSON (TO-7); absent when the agent sent none. */
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** Output of its terminals, by terminal id: ours, or what the agent gave for those that it ran itself. */
  readonly terminalOutput?: Readonly<Record<string, string>>;
  /** Terminals of ours, by id (TE-9). */
  readonly terminals?: Readonly<Record<string, TerminalState>>;
  /** The agent has dropped it from its context (PR-7). */
  readonly dropped?: true;
}

export type TerminalState =
  | { readonly kind: 'running' }
  | { readonly kind: 'exited'; readonly exitCode: number | null; readonly signal: string | null };

/** The one plan of a session, replaced in place (PL-1). */
export interface PlanEntry {
  readonly kind: 'plan';
  readonly items: readonly PlanItem[];
}

/** The agent folded its context (CP-2); the history before it stays. */
export interface CompactionEntry {
  readonly kind: 'compaction';
  readonly compactionId: string;
  /** `in_progress`, `completed`, `failed`, `cancelled`, or the agent's own word (CP-4). */
  readonly status: string;
  readonly summary: readonly Block[];
  readonly error?: string;
}

/** A permission that the agent asked for, with what became of it (PE-2). It stays in the transcript. */
export interface PermissionEntry {
  readonly kind: 'permission';
  /** Ours, unique in the window. */
  readonly requestId: number;
  /** The call as it stood when the agent asked: what a person decides about. */
  readonly toolCall: ToolCallEntry;
  /** Place of the call's own entry, with which the question is drawn; absent when that isn't close above. */
  readonly call?: number;
  readonly options: readonly PermissionOption[];
  readonly state: PermissionState;
  /** Set when the agent didn't ask, and this window does. */
  readonly own?: OwnAsk;
}

/**
 * What this window asks by itself; the title of the call is what it is about: the file, the command line or
 * the folder.
 */
export type OwnAsk =
  | { readonly act: 'write' }
  | { readonly act: 'command'; readonly folder: string }
  /** A folder that only the agent has named. */
  | { readonly act: 'folder' };

/** A question of the agent's, with what became of it (EL-1). */
export interface ElicitationEntry {
  readonly kind: 'elicitation';
  readonly requestId: number;
  readonly message: string;
  readonly ask: ElicitationAsk;
  readonly state: ElicitationState;
}

/** How a turn ended, where that is worth a word. */
interface TurnEntry {
  readonly kind: 'turn';
  readonly outcome: TurnOutcome;
}

export type TurnOutcome =
  /** Any stop reason but `end_turn`, the agent's own words included (PR-6). */
  | { readonly type: 'stopped'; readonly stopReason: string }
  /** `canResend`: the prompt is kept and can be sent again. */
  | { readonly type: 'failed'; readonly failure: Failure; readonly canResend: boolean };

/** What became different in a transcript; indexes are those of its entries. */
export type TranscriptChange =
  | { readonly type: 'appended'; readonly from: number; readonly to: number }
  | { readonly type: 'updated'; readonly index: number }
  | { readonly type: 'reset' };
