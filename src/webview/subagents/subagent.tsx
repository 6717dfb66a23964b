import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { DrawnMessage, DrawnSubagent } from '../../shared/transcript/drawn';
import { isEmpty } from '../../shared/transcript/isEmpty';
import { placeIn } from '../../shared/transcript/places';
import { Blocks } from '../content/blocks';
import { Elapsed } from '../parts/elapsed';
import { Chevron, useFold } from '../parts/fold';
import { Icon } from '../parts/icon';
import { EntryContext, EntryIndexContext, useTranscript } from '../state/context';
import { formatNumber } from '../words/format';
import { durationText } from '../words/times';
import { subagentLook } from './subagentLook';

/** Entries that are shown at first: the last ones, and how many more at a time. */
const firstRows = 12;
const moreRows = 50;
/** Maximum number of rows that a page holds of one subagent; the rest opens in an editor. */
const maxRows = 500;

interface SubagentProps {
  readonly subagent: DrawnSubagent;
}

/**
 * A subagent: one line, below which what it did unfolds. It is open while it works, and nothing of it
 * is drawn, or asked for, while it is folded.
 */
export function Subagent({ subagent }: SubagentProps): VNode {
  const { state } = useTranscript();
  const { number, title, description } = subagent;
  const look = subagentLook(subagent.state);
  const isWorking = look.is === 'working' || look.is === 'asking';
  const [open, toggle] = useFold('subagent', isWorking);
  const [most, setMost] = useState(() => state.unfoldedRows(number) || firstRows);
  const rows = open ? most : 0;
  // At once: an entry that isn't requested yet is let go of with the next message.
  useLayoutEffect(() => state.unfold(number, rows), [state, number, rows]);
  return (
    <div class={`entry tool subagent subagent-${look.is}`}>
      <div class="subagent-line">
        <button type="button" class="tool-head" aria-expanded={open} onClick={toggle}>
          <Icon name="hubot" class="tool-icon" />
          <span class={open ? 'tool-title' : 'tool-title one-line'} title={title}>
            {title}
          </span>
          <Facts subagent={subagent} />
          <span class="tool-status">
            <Icon name={look.icon} spin={look.is === 'working'} />
            <span>{look.label}</span>
          </span>
          <Chevron open={open} />
        </button>
        {subagent.canCancel && <Stop subagent={subagent} />}
      </div>
      {look.error !== undefined && <p class="failure-text subagent-text">{look.error}</p>}
      {open && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div class="subagent-body" role="group" aria-label={l10n.t('What {0} did', title)}>
          {description !== undefined && <p class="quiet subagent-text">{description}</p>}
          <Earlier subagent={subagent} most={most} onMore={() => setMost(most + moreRows)} />
          <Entries subagent={subagent} most={most} />
        </div>
      )}
    </div>
  );
}

/** How many calls it made, and for how long it has worked. */
function Facts({ subagent: { calls, times } }: SubagentProps): VNode {
  const took = times?.ended === undefined ? undefined : Math.max(0, times.ended - times.began);
  return (
    <span class="subagent-facts">
      {calls === 1 && <span>{l10n.t('1 tool call')}</span>}
      {calls > 1 && <span>{l10n.t('{0} tool calls', formatNumber(calls))}</span>}
      {took !== undefined && <span>{durationText(took)}</span>}
      {times !== undefined && took === undefined && <Elapsed began={times.began} />}
    </span>
  );
}

function Stop({ subagent: { number, title } }: SubagentProps): VNode {
  const { post } = useTranscript();
  const [isStopping, setStopping] = useState(false);
  return (
    <button
      type="button"
      class="text-button subagent-stop"
      aria-label={l10n.t('Stop {0}', title)}
      disabled={isStopping}
      onClick={() => {
        setStopping(true);
        post({ type: 'stopSubagent', number });
      }}
    >
      {isStopping ? l10n.t('Stopping…') : l10n.t('Stop')}
    </button>
  );
}

interface MoreProps extends SubagentProps {
  readonly most: number;
  readonly onMore: () => void;
}

function Earlier({ subagent: { length }, most, onMore }: MoreProps): VNode | null {
  const left = length - most;
  if (left <= 0) {
    return null;
  }
  return most >= maxRows ? (
    <p class="quiet subagent-text">
      {l10n.t('{0} earlier entries are only in the transcript as text', formatNumber(left))}
    </p>
  ) : (
    <button type="button" class="more" onClick={onMore}>
      {l10n.t('Show earlier entries ({0})', formatNumber(left))}
    </button>
  );
}

function Entries({
  subagent: { number, length },
  most,
}: SubagentProps & { readonly most: number }) {
  const start = Math.max(0, length - most);
  return (
    <>
      {Array.from({ length: length - start }, (_, at) => placeIn(number, start + at)).map(
        (place) => (
          <Entry key={place} place={place} />
        ),
      )}
    </>
  );
}

function Entry({ place }: { readonly place: number }): VNode | null {
  const { state } = useTranscript();
  const Nested = useContext(EntryContext);
  const entry = state.entry(place).value;
  if (entry === undefined) {
    return <div class="placeholder subagent-placeholder" />;
  }
  return isEmpty(entry) ? null : (
    <EntryIndexContext.Provider value={place}>
      {entry.kind === 'user' ? <Task message={entry} /> : <Nested entry={entry} />}
    </EntryIndexContext.Provider>
  );
}

/** What the subagent was told to do: nobody can prompt it here. */
function Task({ message }: { readonly message: DrawnMessage }): VNode {
  return (
    <div class="entry subagent-task">
      <p class="sr-only">{l10n.t('Task')}</p>
      <Blocks blocks={message.blocks} part="blocks" />
    </div>
  );
}
