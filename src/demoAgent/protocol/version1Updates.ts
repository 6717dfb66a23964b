import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk/unstable';
import type { DemoToolContent, DemoUpdate } from '../vocabulary/demoUpdates';

/** An update as version 1 says it, if it has words for it; a plan that is a text is a message without plans. */
export function version1Update(update: DemoUpdate, takesPlans: boolean): SessionUpdate[] {
  switch (update.sessionUpdate) {
    // The client shows its prompts by itself.
    case 'user_message':
    case 'state_update':
      return [];
    case 'tool_call':
    case 'tool_call_update': {
      const { content, ...call } = update;
      const told = content?.map(withoutLine);
      return [{ ...call, ...(told && { content: told }) }];
    }
    case 'plan_update':
      return takesPlans ? [update] : planAsMessage(update);
    default:
      return [update];
  }
}

type PlanUpdate = Extract<SessionUpdate, { sessionUpdate: 'plan_update' }>;

function planAsMessage({ plan }: PlanUpdate): SessionUpdate[] {
  return plan.type === 'markdown' && 'content' in plan
    ? [
        {
          sessionUpdate: 'agent_message_chunk',
          messageId: plan.planId,
          content: { type: 'text', text: plan.content },
        },
      ]
    : [];
}

function withoutLine(content: DemoToolContent): ToolCallContent {
  const { line: _, ...told } = content;
  return told;
}
