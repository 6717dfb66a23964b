import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literalLine } from '../../shared/literal';
import type { DrawnDiff } from '../../shared/transcript/drawn';
import type { DiffFate } from '../../shared/transcript/reviewed';
import { Chevron, useFold } from '../parts/fold';
import { Icon } from '../parts/icon';
import { useEntryIndex, useTranscript } from '../state/context';
import { addedLines, removedLines } from '../words/counts';
import { DiffLines } from './diffLines';

/** Changes with at most this many lines are open by default. */
const shownLines = 12;

interface DiffProps {
  readonly diff: DrawnDiff;
  /** Index in the tool call's content. */
  readonly item: number;
  /** Whether a decision about the change is pending: then it is open, and a note says if it is incomplete. */
  readonly whole?: boolean;
}

/** TO-5: a changed file; its name opens VS Code's diff editor, its lines unfold below. */
export function DiffView({ diff, item, whole = false }: DiffProps): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  const [open, toggle] = useFold(`diff.${item}`, whole || diff.lines.length <= shownLines);
  const openDiff = (): void => post({ type: 'openDiff', index, content: item });
  const hasLines = diff.lines.length > 0;
  const label = literalLine(diff.label);
  return (
    <div class={diff.goesOn ? 'diff diff-goes-on' : 'diff'}>
      <div class="diff-head">
        {hasLines && (
          <button
            type="button"
            class="icon-button"
            aria-expanded={open}
            aria-label={l10n.t('Changed lines of {0}', label)}
            onClick={toggle}
          >
            <Chevron open={open} />
          </button>
        )}
        <button
          type="button"
          class="diff-file"
          title={l10n.t('Open changes: {0}', literalLine(diff.path))}
          onClick={openDiff}
        >
          {!diff.goesOn && <Icon name={diff.isNew ? 'new-file' : 'diff'} />}
          <span class="diff-label">{diff.goesOn ? l10n.t('Changed lines') : label}</span>
        </button>
        {diff.isNew && !diff.goesOn && <span class="badge">{l10n.t('New')}</span>}
        <span class="diff-added">
          <span aria-hidden="true">+{diff.added}</span>
          <span class="sr-only">{addedLines(diff.added)}</span>
        </span>
        <span class="diff-removed">
          <span aria-hidden="true">−{diff.removed}</span>
          <span class="sr-only">{removedLines(diff.removed)}</span>
        </span>
        <Fate index={index} item={item} />
      </div>
      {hasLines && open && <DiffLines diff={diff} whole={whole} />}
      {whole && diff.cut && <p class="diff-note">{hasLines ? partial : unshown}</p>}
      {(diff.cut || !hasLines) && (open || !hasLines) && (
        <button type="button" class="more" onClick={openDiff}>
          {hasLines
            ? l10n.t('Show the whole change in the diff editor')
            : l10n.t('Show in the diff editor')}
        </button>
      )}
    </div>
  );
}

const fates: Readonly<Record<DiffFate, string>> = {
  kept: l10n.t('kept'),
  undone: l10n.t('undone'),
  changedSince: l10n.t('changed since'),
};

/** What became of the change. */
function Fate({ index, item }: { readonly index: number; readonly item: number }): VNode | null {
  const { state } = useTranscript();
  const fate = useComputed(() => state.review.findFate(index, item)).value;
  return fate ? <span class="diff-fate">{fates[fate]}</span> : null;
}

const partial = l10n.t('This is only part of the change.');
const unshown = l10n.t('The change is too large to show here.');
