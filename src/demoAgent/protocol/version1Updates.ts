import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk/unstable';
import type { DemoToolContent, DemoUpdate } from '../vocabulary/demoUpdates';

/** An update as version 1 says it, if it has words for it. */
export function version1Update(update: DemoUpdate): SessionUpdate[] {
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
    default:
      return [update];
  }
}

function withoutLine(content: DemoToolContent): ToolCallContent {
  const { line: _, ...told } = content;
  return told;
}
