import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literalLine } from '../../shared/literal';
import type { DrawnToolCall } from '../../shared/transcript/drawn';
import { Chevron } from '../parts/fold';
import { Icon } from '../parts/icon';
import type { CallRun } from '../rows/rows';
import { useTranscript } from '../state/context';
import type { TranscriptState } from '../state/state';
import { formatNumber } from '../words/format';
import { toolIcons } from './toolLook';

interface RunProps {
  readonly run: CallRun;
}

/**
 * A run of calls that only looked at something, as one line: it unfolds into a chip per call, and a
 * chip opens its call below.
 */
export function RunLine({ run }: RunProps): VNode {
  const { state } = useTranscript();
  const { rows } = state;
  const open = rows.isOpen(run);
  return (
    <div class="entry tool run">
      <button type="button" class="tool-head" aria-expanded={open} onClick={() => rows.toggle(run)}>
        <Icon name="list-tree" class="tool-icon" />
        <span class="tool-title">{runLabel(getCalls(state, run))}</span>
        <Chevron open={open} />
      </button>
      {open && <Chips run={run} />}
    </div>
  );
}

function Chips({ run }: RunProps): VNode {
  const { state } = useTranscript();
  const { rows } = state;
  return (
    <div class="chips">
      {getIndexes(run).map((index) => {
        const call = callAt(state, index);
        return (
          call && (
            <button
              key={index}
              type="button"
              class="chip"
              title={literalLine(call.title)}
              aria-expanded={rows.isCallOpen(run, index)}
              onClick={() => rows.toggleCall(run, index)}
            >
              <Icon name={toolIcons[call.toolKind]} />
              <span class="one-line">{chipLabel(call)}</span>
            </button>
          )
        );
      })}
    </div>
  );
}

/** The file if the call has read exactly one, otherwise the call's title. */
function chipLabel({ toolKind, title, locations: [place, ...others] }: DrawnToolCall): string {
  return literalLine(
    toolKind === 'read' && place && others.length === 0 ? place.label : title.replaceAll('`', ''),
  );
}

/** The held calls of a run. */
export function getCalls(state: TranscriptState, run: CallRun): readonly DrawnToolCall[] {
  return getIndexes(run).flatMap((index) => callAt(state, index) ?? []);
}

function getIndexes({ first, last }: CallRun): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function callAt(state: TranscriptState, index: number): DrawnToolCall | undefined {
  const entry = state.entry(index).value;
  return entry?.kind === 'toolCall' ? entry : undefined;
}

/** Summary of a run's calls. It counts distinct files, not reads. */
export function runLabel(calls: readonly DrawnToolCall[]): string {
  const count = (kind: DrawnToolCall['toolKind']): readonly DrawnToolCall[] =>
    calls.filter(({ toolKind }) => toolKind === kind);
  const files = new Set(
    count('read').flatMap(({ locations, title }) =>
      locations.length > 0 ? locations.map(({ path }) => path) : [title],
    ),
  ).size;
  const parts = [
    ...(files > 0 ? [filesRead(files)] : []),
    ...times(count('search').length, searched),
    ...times(count('fetch').length, fetched),
  ];
  return parts.map((part, at) => (at === 0 ? getStart(part) : part)).join(', ');
}

function times(count: number, words: (count: number) => string): readonly string[] {
  return count > 0 ? [words(count)] : [];
}

function getStart(part: string): string {
  return part.charAt(0).toLocaleUpperCase() + part.slice(1);
}

function filesRead(count: number): string {
  return count === 1 ? l10n.t('read 1 file') : l10n.t('read {0} files', formatNumber(count));
}

function searched(count: number): string {
  if (count === 1) {
    return l10n.t('searched once');
  }
  return count === 2 ? l10n.t('searched twice') : l10n.t('searched {0} times', formatNumber(count));
}

function fetched(count: number): string {
  return count === 1 ? l10n.t('fetched 1 page') : l10n.t('fetched {0} pages', formatNumber(count));
}
