import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type {
  DrawnCompaction,
  DrawnEntry,
  DrawnMessage,
  DrawnUnshown,
} from '../../shared/transcript/drawn';
import { unknownWords } from '../../shared/transcript/unknownWords';
import { assertNever } from '../../util/assertNever';
import { Elicitation } from '../cards/elicitation';
import { Permission } from '../cards/permission';
import { Blocks, RawFold } from '../content/blocks';
import { Fold } from '../parts/fold';
import { useEntryIndex, useTranscript } from '../state/context';
import { Subagent } from '../subagents/subagent';
import { subagentLook } from '../subagents/subagentLook';
import { statusLook } from '../toolCalls/toolLook';
import { timeText } from '../words/times';
import { AgentMessage, Thought, UserMessage } from './messages';
import { Plan } from './plan';
import { Shortened } from './shortened';
import { ToolCall } from './toolCall';
import { TurnEnd } from './turnEnd';

interface EntryProps {
  readonly entry: DrawnEntry;
}

/** Draws an entry; one that the agent has dropped from its context is dimmed and labeled (PR-7). */
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

/** An entry that isn't a row of its own, with its accessible name. */
export function LabeledEntry({ entry }: EntryProps): VNode {
  const { agentTitle } = useTranscript().state;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-label={entryLabel(entry, agentTitle.value)}>
      <EntryContent entry={entry} />
    </div>
  );
}

const droppedLabel = l10n.t('The agent has dropped this from its context');

function isDropped(entry: DrawnEntry): boolean {
  return 'dropped' in entry && entry.dropped;
}

function Content({ entry }: EntryProps): VNode {
  return (
    <>
      <Kind entry={entry} />
      {entry.shortened && <Shortened />}
    </>
  );
}

/** The renderer for each kind of entry. */
function Kind({ entry }: EntryProps): VNode {
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
    case 'subagent':
      return <Subagent subagent={entry} />;
    case 'unknown':
      return (
        <div class="entry">
          <RawFold label={unknownWords(entry)} raw={entry.raw} part="raw" />
        </div>
      );
    case 'turn':
      return <TurnEnd turn={entry} />;
    case 'unshown':
      return <Unshown reason={entry.reason} />;
    default:
      return assertNever(entry);
  }
}

const stateWords = {
  waiting: l10n.t('waiting for your answer'),
  selected: l10n.t('answered'),
  accepted: l10n.t('answered'),
  opened: l10n.t('opened in the browser'),
  declined: l10n.t('declined'),
  cancelled: l10n.t('canceled'),
} as const;

/** An entry's accessible name. */
export function entryLabel(entry: DrawnEntry, agentTitle: string): string {
  switch (entry.kind) {
    case 'user':
      return withTime(l10n.t('You'), entry);
    case 'agent':
      return withTime(agentTitle, entry);
    case 'thought':
      return withTime(l10n.t('{0}, thought', agentTitle), entry);
    case 'toolCall':
      return l10n.t('Tool call, {0}, {1}', entry.title, statusLook(entry).label);
    case 'plan':
      return l10n.t('Plan');
    case 'compaction':
      return l10n.t('Context compaction');
    case 'permission':
      return l10n.t(
        'Permission, {0}, {1}',
        entry.title ?? entry.toolCall.title,
        stateWords[entry.state.kind],
      );
    case 'elicitation':
      return l10n.t('Question from {0}, {1}', agentTitle, stateWords[entry.state.kind]);
    case 'subagent':
      return l10n.t('Subagent, {0}, {1}', entry.title, subagentLook(entry.state).label);
    case 'unknown':
      return unknownWords(entry);
    case 'turn':
      return l10n.t('End of a turn');
    case 'unshown':
      return l10n.t('Hidden entry');
    default:
      return assertNever(entry);
  }
}

function withTime(label: string, { seen, turn }: DrawnMessage): string {
  const time = seen ?? turn?.began;
  return time === undefined ? label : `${label}, ${timeText(time, Date.now())}`;
}

const labels = new Map([
  ['in_progress', l10n.t('Compacting the context…')],
  ['completed', l10n.t('Context compacted')],
  ['failed', l10n.t('The context couldn’t be compacted')],
  ['cancelled', l10n.t('Compacting the context was canceled')],
]);

/** CP-2, CP-4: the agent compacted its context; the entries above stay. */
function Compaction({ compaction }: { readonly compaction: DrawnCompaction }): VNode {
  const label = labels.get(compaction.status) ?? l10n.t('Context: {0}', compaction.status);
  const line = <span class="divider-label">{label}</span>;
  return (
    <div class={`entry compaction compaction-${compaction.status === 'failed' ? 'failed' : 'ok'}`}>
      {compaction.summary.length === 0 ? (
        <div class="divider">{line}</div>
      ) : (
        <Fold part="summary" class="divider-fold" summary={line}>
          {() => <Blocks blocks={compaction.summary} part="blocks" />}
        </Fold>
      )}
      {compaction.error && <p class="failure-text">{compaction.error}</p>}
    </div>
  );
}

/**
 * An entry that the host hasn't sent, because it can't be drawn or because the page already holds
 * as much as it may.
 */
function Unshown({ reason }: Pick<DrawnUnshown, 'reason'>): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  return (
    <div class="entry">
      {reason === 'large' ? (
        <button type="button" class="more" onClick={() => post({ type: 'showRow', index })}>
          {l10n.t('Large entry, hidden to save memory. Show it')}
        </button>
      ) : (
        <p class="notice-detail">{l10n.t('This entry can’t be shown. The log has the details.')}</p>
      )}
    </div>
  );
}
