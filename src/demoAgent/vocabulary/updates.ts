import type {
  BackgroundWork,
  ErrorStopReason,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type {
  ContentBlock,
  SessionUpdate,
  ToolCall,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk/unstable';

/*
 * What the scripts say and the store keeps: the updates of version 1, and what only version 2 can say. `v1` and `v2`
 * translate it for their clients.
 */

/** One file of `FileChanges`; the texts are those of the whole file, and missing if it has none that can be shown. */
export interface FileChange {
  readonly operation: 'add' | 'delete' | 'modify' | 'move' | 'copy';
  readonly path: string;
  /** Where a moved or copied file comes from. */
  readonly oldPath?: string;
  readonly fileType?: 'text' | 'binary' | 'directory' | 'symlink';
  readonly mimeType?: string;
  readonly oldText?: string;
  readonly newText?: string;
}

/** Changes of several files, told as what was done. */
interface FileChanges {
  readonly type: 'changes';
  readonly changes: readonly FileChange[];
  /** Whether the texts are told too. */
  readonly withPatch: boolean;
}

/** Content of a kind that no version knows. */
interface StrangeContent {
  readonly type: 'strange';
  readonly kind: string;
}

/** The line, from 1, with which the texts of a diff begin in the file. */
type LocatedContent = ToolCallContent & { readonly line?: number };

export type DemoToolContent = LocatedContent | FileChanges | StrangeContent;

interface ToolParts {
  readonly status?: ToolCall['status'] | 'paused' | 'cancelled' | null;
  readonly content?: readonly DemoToolContent[] | null;
}

export type DemoToolCall = Omit<ToolCall, keyof ToolParts> & ToolParts;
export type DemoToolUpdate = Omit<ToolCallUpdate, keyof ToolParts> & ToolParts;

/** One more piece of a call's content, and what the call had before. */
interface ContentChunk {
  readonly sessionUpdate: 'tool_call_content_chunk';
  readonly toolCallId: string;
  readonly before: readonly DemoToolContent[];
  readonly content: DemoToolContent;
  readonly _meta?: Record<string, unknown>;
}

/** A message as a whole, instead of a chunk: replaces its content, empties it, or leaves it alone if there is none. */
interface WholeMessage {
  readonly sessionUpdate: 'user_message' | 'agent_message' | 'agent_thought';
  readonly messageId: string;
  readonly content?: readonly ContentBlock[];
  readonly _meta?: Record<string, unknown>;
}

/** Why the foreground work has ended. */
export type Ending = { readonly stopReason: string } & ErrorStopReason;

export type SessionState =
  | ({ readonly state: 'idle' } & Partial<Ending>)
  | { readonly state: 'running' | 'requires_action' };

type StateReport = SessionState & {
  readonly sessionUpdate: 'state_update';
  readonly background: readonly BackgroundWork[];
  readonly _meta?: Record<string, unknown>;
};

/** An update of a kind that no version knows. */
interface StrangeUpdate {
  readonly sessionUpdate: 'strange';
  readonly kind: string;
  readonly _meta?: Record<string, unknown>;
}

export type DemoUpdate =
  | Exclude<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>
  | ({ readonly sessionUpdate: 'tool_call' } & DemoToolCall)
  | ({ readonly sessionUpdate: 'tool_call_update' } & DemoToolUpdate)
  | ContentChunk
  | WholeMessage
  | StateReport
  | StrangeUpdate;
