import type {
  ClientCapabilities,
  ContentBlock,
  PlanEntry,
  PlanUpdateContent,
  SessionUpdate,
  ToolCallContent,
} from '@agentclientprotocol/sdk/unstable';
import { textContent } from '../turns/turn';
import type { DemoToolCall, DemoToolContent, DemoUpdate, FileChange } from '../vocabulary/updates';

/** An update as version 1 says it: what it has no words for is told as well as it can be, or not at all. */
export function version1Updates(update: DemoUpdate, client: ClientCapabilities): SessionUpdate[] {
  switch (update.sessionUpdate) {
    // The client shows its prompts by itself.
    case 'user_message':
    case 'state_update':
    case 'strange':
      return [];
    case 'agent_message':
    case 'agent_thought': {
      // A message can't be changed, only followed by another one.
      const { sessionUpdate, messageId, content = [] } = update;
      return content.map((block) => ({
        sessionUpdate: `${sessionUpdate}_chunk`,
        messageId: `${messageId}-changed`,
        content: block,
      }));
    }
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return [{ ...update, content: blockOf(update.content) }];
    case 'tool_call':
      return [toolParts(update) as Extract<SessionUpdate, { sessionUpdate: 'tool_call' }>];
    case 'tool_call_update':
      return [toolParts(update) as Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>];
    case 'tool_call_content_chunk': {
      const { toolCallId, before, content, _meta } = update;
      const told = [...before, content].flatMap(contentOf);
      return [
        { sessionUpdate: 'tool_call_update', toolCallId, content: told, ...(_meta && { _meta }) },
      ];
    }
    case 'plan_update':
      return client.plan ? [{ ...update, plan: knownPlan(update.plan) }] : onlyPlan(update.plan);
    case 'plan_removed':
      return client.plan ? [update] : [{ sessionUpdate: 'plan', entries: [] }];
    default:
      return [update];
  }
}

const blocks = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

function blockOf(content: ContentBlock): ContentBlock {
  return blocks.has(content.type) ? content : { type: 'text', text: somethingOf(content.type) };
}

/** There is one plan, and it is a list. */
function onlyPlan(plan: PlanUpdateContent): SessionUpdate[] {
  const known = knownPlan(plan);
  return 'entries' in known ? [{ sessionUpdate: 'plan', entries: known.entries }] : [];
}

/** No step is canceled: it is done. */
function knownPlan(plan: PlanUpdateContent): PlanUpdateContent {
  return 'entries' in plan
    ? { ...plan, entries: plan.entries.map((entry) => ({ ...entry, status: doneOf(entry) })) }
    : plan;
}

function doneOf({ status }: PlanEntry): PlanEntry['status'] {
  return (status as string) === 'cancelled' ? 'completed' : status;
}

function toolParts(call: Pick<DemoToolCall, 'status' | 'content'>): unknown {
  const { status, content } = call;
  return {
    ...call,
    ...(status && { status: statusOf(status) }),
    ...(content && { content: content.flatMap(contentOf) }),
  };
}

function statusOf(status: NonNullable<DemoToolCall['status']>): string {
  return status === 'paused' ? 'in_progress' : status === 'cancelled' ? 'failed' : status;
}

function contentOf(content: DemoToolContent): ToolCallContent[] {
  switch (content.type) {
    case 'changes':
      return content.changes.map((change) =>
        content.withPatch ? changeOf(change) : textContent(inWords(change)),
      );
    case 'strange':
      return [textContent(somethingOf(content.kind))];
    default: {
      const { line: _, ...told } = content;
      return [told];
    }
  }
}

function changeOf(change: FileChange): ToolCallContent {
  const { operation, path, oldText, newText } = change;
  const isWritten = operation === 'add' || operation === 'modify';
  return isWritten && newText !== undefined
    ? { type: 'diff', path, oldText: oldText ?? null, newText }
    : textContent(inWords(change));
}

function somethingOf(kind: string): string {
  return `Something of the kind “${kind}”.`;
}

function inWords({ operation, path, oldPath, fileType = 'text' }: FileChange): string {
  const to = oldPath === undefined ? `\`${path}\`` : `\`${oldPath}\` to \`${path}\``;
  return `${operation}: ${to} (${fileType})`;
}
