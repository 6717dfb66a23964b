import type { VNode } from 'preact';
import type { DrawnEntry } from '../../shared/drawn';
import { assertNever } from '../../util/assertNever';
import { Elicitation } from '../cards/elicitation';
import { Permission } from '../cards/permission';
import { Compaction } from './compaction';
import { AgentMessage, Thought, UserMessage } from './messages';
import { Plan } from './plan';
import { ToolCall } from './toolCall';
import { statusLooks } from './toolLook';
import { TurnEnd } from './turnEnd';

interface EntryProps {
  readonly entry: DrawnEntry;
}

/** An entry; what the agent has dropped from its context is dimmed, and said to be (PR-7). */
export function EntryContent({ entry }: EntryProps): VNode {
  return isDropped(entry) ? (
    <div class="dropped">
      <p class="sr-only">{droppedLabel}</p>
      <Content entry={entry} />
    </div>
  ) : (
    <Content entry={entry} />
  );
}

const droppedLabel = 'The agent has dropped this from its context';

function isDropped(entry: DrawnEntry): boolean {
  return 'dropped' in entry && entry.dropped;
}

/** One renderer for each kind of entry. */
function Content({ entry }: EntryProps): VNode {
  switch (entry.kind) {
    case 'user':
      return <UserMessage message={entry} />;
    case 'agent':
      return <AgentMessage message={entry} />;
    case 'thought':
      return <Thought message={entry} />;
    case 'toolCall':
      return <ToolCall call={entry} />;
    case 'plan':
      return <Plan plan={entry} />;
    case 'compaction':
      return <Compaction compaction={entry} />;
    case 'permission':
      return <Permission permission={entry} />;
    case 'elicitation':
      return <Elicitation elicitation={entry} />;
    case 'turn':
      return <TurnEnd turn={entry} />;
    default:
      return assertNever(entry);
  }
}

const stateWords = {
  waiting: 'waiting for your answer',
  selected: 'answered',
  accepted: 'answered',
  opened: 'opened in the browser',
  declined: 'declined',
  cancelled: 'cancelled',
} as const;

/** What a screen reader says on arriving at an entry. */
export function entryLabel(entry: DrawnEntry, agentTitle: string): string {
  switch (entry.kind) {
    case 'user':
      return 'You';
    case 'agent':
      return agentTitle;
    case 'thought':
      return `${agentTitle}, thought`;
    case 'toolCall':
      return `Tool call, ${entry.title}, ${statusLooks[entry.status].label}`;
    case 'plan':
      return 'Plan';
    case 'compaction':
      return 'Context compaction';
    case 'permission':
      return `Permission, ${entry.toolCall.title}, ${stateWords[entry.state.kind]}`;
    case 'elicitation':
      return `Question of ${agentTitle}, ${stateWords[entry.state.kind]}`;
    case 'turn':
      return 'End of a turn';
    default:
      return assertNever(entry);
  }
}
