import type { ErrorStopReason, Usage } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type {
  ContentBlock,
  SessionUpdate,
  ToolCall,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk/unstable';

/*
 * What the commands say and the store keeps: the updates of version 1, and what only version 2 can say. `v1` and `v2`
 * translate it for their clients.
 */

/** `line` is that, from 1, with which the texts of a diff begin in the file. */
export type DemoToolContent = ToolCallContent & { readonly line?: number };

interface ToolParts {
  readonly content?: readonly DemoToolContent[] | null;
}

type DemoToolCall = Omit<ToolCall, 'content'> & ToolParts;
export type DemoToolUpdate = Omit<ToolCallUpdate, 'content'> & ToolParts;

/** A prompt as a whole, which says that it was inserted. */
interface UserMessage {
  readonly sessionUpdate: 'user_message';
  readonly messageId: string;
  readonly content: readonly ContentBlock[];
  readonly _meta?: Record<string, unknown>;
}

/** Why the foreground work has ended. */
export type Ending = {
  readonly stopReason: string;
  readonly usage?: Usage | null;
} & ErrorStopReason;

export type SessionState =
  | ({ readonly state: 'idle' } & Partial<Ending>)
  | { readonly state: 'running' | 'requires_action' };

type StateReport = SessionState & {
  readonly sessionUpdate: 'state_update';
  readonly _meta?: Record<string, unknown>;
};

export type DemoUpdate =
  | Exclude<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>
  | ({ readonly sessionUpdate: 'tool_call' } & DemoToolCall)
  | ({ readonly sessionUpdate: 'tool_call_update' } & DemoToolUpdate)
  | UserMessage
  | StateReport;

/** Marks an update as one of a subagent's session, for the file and on the wire. */
export function ownedBy(update: DemoUpdate, session: string): DemoUpdate {
  return { ...update, _meta: { ...update._meta, demoAgent: { session } } };
}

/** The session that an update was marked with by `ownedBy`. */
export function findSession({ _meta }: DemoUpdate): string | undefined {
  const mark = _meta?.['demoAgent'] as { readonly session?: unknown } | undefined;
  return typeof mark?.session === 'string' ? mark.session : undefined;
}
