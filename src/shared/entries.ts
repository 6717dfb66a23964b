import type { Block, FileLocation, PlanItem, ToolContent, ToolKind, ToolStatus } from './content';

/**
 * A transcript is a list of entries in the order in which things happened. Entries are only ever
 * added at the end or changed in place, so an entry's index is its identity until a reload.
 */
export type Entry = MessageEntry | ToolCallEntry | PlanEntry | CompactionEntry;

export type MessageKind = 'user' | 'agent' | 'thought';

export interface MessageEntry {
  readonly kind: MessageKind;
  readonly messageId?: string;
  readonly blocks: readonly Block[];
}

/** `interrupted`: the replay ended, or the agent went, before the call did (T-16). */
export type ToolCallState = ToolStatus | 'cancelled' | 'interrupted';

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
  /** Output that the agent gave for terminals that it ran itself, by terminal id. */
  readonly terminalOutput?: Readonly<Record<string, string>>;
}

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

/** What became different in a transcript; indexes are those of its entries. */
export type TranscriptChange =
  | { readonly type: 'appended'; readonly from: number; readonly to: number }
  | { readonly type: 'updated'; readonly index: number }
  | { readonly type: 'reset' };
