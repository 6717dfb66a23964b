import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { BranchAct } from '../../shared/transcript/branches';
import type { DrawnBlock, DrawnMessage } from '../../shared/transcript/drawn';
import type { SteeringState, TurnFacts } from '../../shared/transcript/entries';
import { Blocks } from '../content/blocks';
import { Fold, useFold } from '../parts/fold';
import { Icon } from '../parts/icon';
import { useEntryIndex, useTranscript } from '../state/context';
import { durationText, exactTime, timeText } from '../words/times';
import { turnUsageText } from '../words/tokens';

interface MessageProps {
  readonly message: DrawnMessage;
}

/** Longer prompts are folded: pasted logs would push the conversation off the screen. */
const longPrompt = { characters: 2000, lines: 25 };

/** Forks that are named at a prompt. */
const maxForks = 5;

export function UserMessage({ message }: MessageProps): VNode {
  const [open, toggle] = useFold('prompt', false);
  const folds = isLong(message.blocks);
  return (
    <div class="entry user">
      <TurnHeading />
      <div class="bubble">
        <div class={folds && !open ? 'clamped' : undefined}>
          <Blocks blocks={message.blocks} part="blocks" />
        </div>
        {folds && (
          <button type="button" class="more" aria-expanded={open} onClick={toggle}>
            {open ? l10n.t('Show less') : l10n.t('Show more')}
          </button>
        )}
      </div>
      <div class="prompt-foot">
        {message.steering && <Steering state={message.steering} />}
        <Branches />
        <PromptActions />
        {message.turn ? <TurnTime {...message.turn} /> : <MessageTime {...message} />}
      </div>
    </div>
  );
}

/** What became of a prompt that was sent into a running turn (T-39). */
function Steering({ state }: { readonly state: SteeringState }): VNode {
  const { agentTitle } = useTranscript().state;
  return <span class="steering">{steeringText(state, agentTitle.value)}</span>;
}

function steeringText(state: SteeringState, agentTitle: string): string {
  switch (state) {
    case 'sending':
      return l10n.t('Sending into the running turn…');
    case 'taken':
      return l10n.t('Sent into the running turn');
    case 'refused':
      return l10n.t('{0} didn’t take it in this turn, so it’s queued.', agentTitle);
    case 'unknown':
      return l10n.t('{0} hasn’t said whether it took this.', agentTitle);
  }
}

/** What can be done at the enclosing prompt; each asks before anything is lost. */
function PromptActions(): VNode | null {
  const { state, post } = useTranscript();
  const index = useEntryIndex();
  const isRestorable = useComputed(() => state.review.isRestorable(index)).value;
  const isBranchable = useComputed(() => state.isBranchable(index)).value;
  const branch = (act: BranchAct) => () => post({ type: 'branch', act, index });
  return (
    <>
      {isBranchable && (
        <Action icon="edit" label={l10n.t('Edit and Resend')} onClick={branch('edit')} />
      )}
      {isBranchable && (
        <Action icon="refresh" label={l10n.t('Retry Turn')} onClick={branch('retry')} />
      )}
      {isBranchable && (
        <Action icon="repo-forked" label={l10n.t('Fork from Here')} onClick={branch('fork')} />
      )}
      {isRestorable && (
        <Action
          icon="history"
          label={l10n.t('Restore to Before This Turn…')}
          onClick={() => post({ type: 'restoreBefore', index })}
        />
      )}
    </>
  );
}

interface ActionProps {
  /** Stands for the label in a narrow tab. */
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
}

function Action({ icon, label, onClick }: ActionProps): VNode {
  return (
    <button type="button" class="prompt-action" title={label} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
      <span class="prompt-action-label">{label}</span>
    </button>
  );
}

/** The sessions that were forked before the enclosing prompt. */
function Branches(): VNode | null {
  const { state, post } = useTranscript();
  const index = useEntryIndex();
  const forks = useComputed(() => state.forksAt(index)).value;
  return forks.length === 0 ? null : (
    <div class="prompt-forks">
      {forks.slice(0, maxForks).map(({ sessionId, title }) => (
        <button
          key={sessionId}
          type="button"
          class="text-button"
          onClick={() => post({ type: 'openFork', sessionId })}
        >
          {l10n.t('Forked as “{0}”', title)}
        </button>
      ))}
      {forks.length > maxForks && <span>{l10n.t('and {0} more', forks.length - maxForks)}</span>}
    </div>
  );
}

/** A heading for screen reader users, who navigate by headings. */
function TurnHeading(): VNode {
  const { state } = useTranscript();
  const index = useEntryIndex();
  const number = useComputed(() => {
    const turn = state.outline.findTurn(index);
    return turn?.index === index ? turn.number : undefined;
  }).value;
  return (
    <h2 class="sr-only">
      {number === undefined ? l10n.t('You') : l10n.t('Turn {0}: you', number)}
    </h2>
  );
}

export function AgentMessage({ message }: MessageProps): VNode {
  return (
    <div class="entry agent">
      <Blocks blocks={message.blocks} part="blocks" />
      <MessageTime {...message} />
    </div>
  );
}

export function Thought({ message }: MessageProps): VNode {
  return (
    <div class="entry">
      <Fold
        part="thought"
        class="thought"
        summary={
          <>
            <span>{l10n.t('Thought')}</span>
            <span class="preview">{getPreview(message.blocks)}</span>
          </>
        }
      >
        {() => <Blocks blocks={message.blocks} part="blocks" />}
      </Fold>
      <MessageTime {...message} />
    </div>
  );
}

function isLong(blocks: readonly DrawnBlock[]): boolean {
  const texts = blocks.map((block) => (block.type === 'text' ? block.text : ''));
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return (
    characters > longPrompt.characters ||
    texts.reduce((sum, text) => sum + text.split('\n', longPrompt.lines + 1).length, 0) >
      longPrompt.lines
  );
}

/** The beginning of a text in one line, without Markdown's marks. */
function getPreview(blocks: readonly DrawnBlock[]): string {
  const text = blocks.find((block) => block.type === 'text')?.text ?? '';
  return text
    .slice(0, 300)
    .replace(/[*_`#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** When a message began, while the mouse or the focus is on it; its accessible name says so, too. */
function MessageTime({ seen }: DrawnMessage): VNode | null {
  return seen === undefined ? null : (
    <time
      class="message-time"
      aria-hidden="true"
      dateTime={new Date(seen).toISOString()}
      title={exactTime(seen)}
    >
      {timeText(seen, Date.now())}
    </time>
  );
}

/** When a turn started, and its duration and tokens once it has ended. */
function TurnTime({ began, ended, usage }: TurnFacts): VNode {
  const took = ended === undefined ? undefined : durationText(Math.max(0, ended - began));
  const tokens = usage && turnUsageText(usage);
  return (
    <p class="turn-time">
      <time dateTime={new Date(began).toISOString()} title={exactTime(began)}>
        {timeText(began, Date.now())}
      </time>
      {took !== undefined && (
        <>
          <span aria-hidden="true">{` · ${took}`}</span>
          <span class="sr-only">{l10n.t('The turn took {0}', took)}</span>
        </>
      )}
      {tokens && (
        <span title={tokens.detail}>
          <span aria-hidden="true">{` · ${tokens.short}`}</span>
          <span class="sr-only">{`${tokens.short}: ${tokens.detail}`}</span>
        </span>
      )}
    </p>
  );
}
