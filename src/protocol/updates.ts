import type { ConfigOption } from '../shared/transcript/config';
import type {
  Block,
  FileLocation,
  PlanItem,
  ToolContent,
  ToolKind,
  ToolStatus,
} from '../shared/transcript/content';
import type { SubagentState } from '../shared/transcript/entries';
import type { JsonObject } from '../util/json';

/**
 * A normalized `session/update` (UP-2), with the protocol's discriminators and validated fields. A
 * field is absent if it wasn't sent or was unusable, which means "unchanged" in a patch (T-21).
 */
export type SessionUpdate =
  | {
      readonly sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';
      readonly content: Block;
      readonly messageId?: string;
      readonly parentCallId?: string;
    }
  | ({ readonly sessionUpdate: 'tool_call' | 'tool_call_update' } & ToolCallPatch)
  /** The end of a turn that didn't end normally: only a trace that is replayed has it. */
  | { readonly sessionUpdate: '_acp_sessions_turn_end'; readonly stopReason: string }
  | { readonly sessionUpdate: 'plan'; readonly entries: readonly PlanItem[] }
  | {
      readonly sessionUpdate: 'available_commands_update';
      readonly availableCommands: readonly AvailableCommand[];
    }
  | { readonly sessionUpdate: 'current_mode_update'; readonly currentModeId: string }
  | {
      readonly sessionUpdate: 'config_option_update';
      /** The complete list (CF-9). */
      readonly configOptions: readonly ConfigOption[];
    }
  | ({
      readonly sessionUpdate: 'session_info_update';
      /** Set by agents that say when they begin and end working (T-40). */
      readonly isWorking?: boolean;
    } & SessionInfoPatch)
  | {
      readonly sessionUpdate: 'usage_update';
      readonly used: number;
      readonly size: number;
      readonly cost?: { readonly amount: number; readonly currency: string };
    }
  | {
      readonly sessionUpdate: 'notice';
      readonly severity: string;
      readonly title: string;
      readonly description?: string;
    }
  | {
      readonly sessionUpdate: 'compaction_update';
      readonly compactionId: string;
      readonly status: string;
      /** `null` clears it; absent means unchanged (CP-2). */
      readonly summary?: readonly Block[] | null;
      readonly error?: string | null;
    }
  | {
      readonly sessionUpdate: 'compaction_summary_chunk';
      readonly compactionId: string;
      readonly content: Block;
    }
  | ({ readonly sessionUpdate: 'subagent_update' } & SubagentPatch)
  | {
      /** A message between two sessions, one of which is this one (SUB-4). */
      readonly sessionUpdate: 'session_message';
      readonly messageId: string;
      readonly senderSessionId?: string;
      readonly recipientSessionId?: string;
      /** Replaces the earlier content; absent means unchanged. */
      readonly content?: readonly Block[];
    }
  | {
      readonly sessionUpdate: 'session_message_chunk';
      readonly messageId: string;
      readonly content: Block;
    };

/**
 * A subagent of the session that the update is for; the first one announces it (SUB-1). Absent fields
 * are unchanged; `null` clears a field.
 */
export interface SubagentPatch {
  /** The subagent's own session id, with which its updates come. */
  readonly sessionId: string;
  readonly title?: string | null;
  readonly description?: string | null;
  /** Whether `session/cancel` with its id stops it alone (SUB-6). */
  readonly canCancel?: boolean;
  readonly state?: SubagentState | null;
}

export interface ToolCallPatch {
  readonly toolCallId: string;
  /** The call whose subagent does this (SUB-3). */
  readonly parentCallId?: string;
  /** Sessions of subagents that the call started (SUB-2). */
  readonly subagentIds?: readonly string[];
  readonly title?: string;
  readonly name?: string;
  readonly kind?: ToolKind;
  readonly status?: ToolStatus;
  /** Replaces the earlier content, never appends to it (TO-2). */
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly FileLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** Output, from `_meta`, of terminals that the agent runs itself; `append` adds to the earlier output. */
  readonly terminalOutput?: readonly {
    readonly terminalId: string;
    readonly text: string;
    readonly append: boolean;
  }[];
}

/** Absent fields are unchanged; `null` clears a field (INFO-1 to INFO-3). */
export interface SessionInfoPatch {
  readonly title?: string | null;
  readonly updatedAt?: string | null;
  readonly _meta?: JsonObject | null;
  /** Whether another client of the agent has the session open (T-47). */
  readonly openElsewhere?: boolean;
}

export interface AvailableCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
}
