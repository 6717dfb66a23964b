import type { TerminalSize } from '../shared/terminal/terminalScreen';
import type { ListedOption } from '../shared/transcript/config';
import type {
  Block,
  FileLocation,
  PlanItem,
  ToolContent,
  ToolKind,
  ToolStatus,
} from '../shared/transcript/content';
import type { SubagentState, TurnUsage, Unknown } from '../shared/transcript/entries';
import type { UsageLimit } from '../shared/transcript/usageLimit';
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
      /** The id names this message alone, so the chunk belongs to it wherever it is (V2-MSG-2). */
      readonly idIsUnique?: true;
      readonly parentCallId?: string;
    }
  | {
      /** A message as a whole: creates it, or changes the one with this id (V2-MSG-1). */
      readonly sessionUpdate: 'user_message' | 'agent_message' | 'agent_thought';
      readonly messageId: string;
      /** Replaces the earlier content; absent means unchanged. */
      readonly content?: readonly Block[];
      readonly parentCallId?: string;
    }
  | ({ readonly sessionUpdate: 'tool_call' | 'tool_call_update' } & ToolCallPatch)
  | {
      /** Content that a call gets in addition to what it has (V2-TOOL-3). */
      readonly sessionUpdate: 'tool_call_content_chunk';
      readonly toolCallId: string;
      readonly content: readonly ToolContent[];
      readonly parentCallId?: string;
    }
  | ({ readonly sessionUpdate: 'terminal_update' } & AgentTerminalPatch)
  | {
      readonly sessionUpdate: 'terminal_output_chunk';
      readonly terminalId: string;
      /** Base64 of bytes that follow the earlier ones: a character may begin in one chunk and end in the next. */
      readonly data: string;
    }
  /** What isn't known here: in the transcript it is a line with its form, see `UnknownEntry`. */
  | ({
      readonly sessionUpdate: '_acp_sessions_unknown';
      readonly raw: string;
      readonly count?: number;
    } & Unknown)
  /** The end of a turn that didn't end normally: only a trace that is replayed has it. */
  | { readonly sessionUpdate: '_acp_sessions_turn_end'; readonly stopReason: string }
  | {
      readonly sessionUpdate: 'plan';
      /** Absent if a session has only one plan. */
      readonly planId?: string;
      /** The complete list; empty if `blocks` says what is planned. */
      readonly entries: readonly PlanItem[];
      /** The list has only what is new or has changed, by the ids of the items. */
      readonly merges?: true;
      /** A plan that isn't a list: a text, a link to a file, or something unknown. */
      readonly blocks?: readonly Block[];
      /** The file that a text is kept in; it is shown without it. */
      readonly path?: string;
    }
  | { readonly sessionUpdate: 'plan_removed'; readonly planId: string }
  | ({ readonly sessionUpdate: 'state_update' } & SessionActivity)
  | {
      readonly sessionUpdate: 'available_commands_update';
      readonly availableCommands: readonly AvailableCommand[];
    }
  | { readonly sessionUpdate: 'current_mode_update'; readonly currentModeId: string }
  | {
      readonly sessionUpdate: 'config_option_update';
      /** The complete list (CF-9). */
      readonly configOptions: readonly ListedOption[];
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
      /** Whether the cost said earlier still holds, because this update has none (V2-USE-1). */
      readonly keepsCost?: true;
      /** A limit of the account; `null` if it has reached none (US-6). */
      readonly limit?: UsageLimit | null;
    }
  | {
      readonly sessionUpdate: 'prompt_suggestions_update';
      /** The complete list of prompts that may be the user's next one, most likely first. */
      readonly suggestions: readonly string[];
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
      /** Absent means unchanged, as in the other fields; `null` clears those (CP-2). */
      readonly status?: string;
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
 * What the agent says it is doing in a session, as a whole (V2-TURN-2). Repeated reports are no new events. `unknown`:
 * a state that this client doesn't know, or that the agent can't tell; it isn't idle.
 */
export interface SessionActivity {
  readonly state: 'running' | 'requires_action' | 'idle' | 'unknown';
  /** Why the last work ended, if the agent says so. */
  readonly stopReason?: string;
  /** What failed, if that is why the last work ended. */
  readonly error?: { readonly code?: number; readonly message: string };
  /** The tokens of the last work; a repeated report is no further usage (US-5). */
  readonly usage?: TurnUsage;
  /** All that also runs, whatever the state is; absent if the agent doesn't report it. */
  readonly background?: readonly BackgroundItem[];
}

/** Something that runs beside the turns; `other`: of a kind that isn't known here. */
export type BackgroundItem =
  | { readonly type: 'terminal'; readonly terminalId: string }
  | { readonly type: 'toolCall'; readonly toolCallId: string }
  | { readonly type: 'subagent'; readonly sessionId: string }
  | { readonly type: 'other'; readonly name: string };

/** A terminal that the agent runs itself. Absent fields are unchanged; `null` clears a field (V2-TERM-1). */
export interface AgentTerminalPatch {
  readonly terminalId: string;
  readonly command?: string | null;
  readonly cwd?: string | null;
  /** Base64 of the whole output so far, which replaces it. */
  readonly output?: string | null;
  readonly size?: TerminalSize | null;
  /** How the command ended; both may be `null` if that isn't known. */
  readonly exit?: { readonly exitCode: number | null; readonly signal: string | null } | null;
  /** Whether `terminal/cancel` stops it (V2-TERM-7). */
  readonly canCancel?: boolean;
}

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
  /** Whether `tool_call/cancel` stops it alone; only agents of version 2 say so. */
  readonly canCancel?: boolean;
  /** Sessions of subagents that the call started (SUB-2). */
  readonly subagentIds?: readonly string[];
  /** `null` clears it, as with the name and the raw values; only agents of version 2 do. */
  readonly title?: string | null;
  readonly name?: string | null;
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
  /** How one of these ended, from `_meta`; not both are `null`. */
  readonly terminalExit?: {
    readonly terminalId: string;
    readonly exitCode: number | null;
    readonly signal: string | null;
  };
  /** What a command has printed, from `_meta`: it counts as the raw output of a call that has none. */
  readonly printed?: { readonly stdout: string; readonly stderr: string };
}

/** Absent fields are unchanged; `null` clears a field (INFO-1 to INFO-3). */
export interface SessionInfoPatch {
  readonly title?: string | null;
  readonly updatedAt?: string | null;
  readonly _meta?: JsonObject | null;
  /** Whether another client of the agent has the session open (T-47). */
  readonly openElsewhere?: boolean;
  /** What this client knows of a session that it worked in and closed; agents say it in their lists only (T-46). */
  readonly state?: 'idle';
}

export interface AvailableCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** Set for a skill (T-91): a prompt names it in a block of its own. */
  readonly skill?: true;
}
