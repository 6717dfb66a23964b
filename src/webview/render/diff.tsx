import type { VNode } from 'preact';
import type { DrawnDiff } from '../../shared/drawn';
import { useEntryIndex, useTranscript } from '../context';
import { formatCount } from '../format';
import { literal } from '../literal';
import { Chevron, useFold } from './fold';
import { Icon } from './icon';

/** A change of no more lines is shown without being asked for. */
const shownLines = 12;

interface DiffProps {
  readonly diff: DrawnDiff;
  /** Its index in the tool call's content. */
  readonly item: number;
  /** It is decided about: open, and with what can't be seen named. */
  readonly whole?: boolean;
}

/** TO-5: a changed file; its name opens VS Code's diff editor, the lines fold out below. */
export function Diff({ diff, item, whole = false }: DiffProps): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  const [open, toggle] = useFold(`diff.${item}`, whole || diff.lines.length <= shownLines);
  const openDiff = (): void => post({ type: 'openDiff', index, content: item });
  const hasLines = diff.lines.length > 0;
  const label = literal(diff.label);
  return (
    <div class="diff">
      <div class="diff-head">
        {hasLines && (
          <button
            type="button"
            class="icon-button"
            aria-expanded={open}
            aria-label={`Changed lines of ${label}`}
            onClick={toggle}
          >
            <Chevron open={open} />
          </button>
        )}
        <button
          type="button"
          class="diff-file"
          title={`Open changes: ${literal(diff.path)}`}
          onClick={openDiff}
        >
          <Icon name={diff.isNew ? 'new-file' : 'diff'} />
          <span class="diff-label">{label}</span>
        </button>
        {diff.isNew && <span class="badge">New</span>}
        <span class="diff-added">
          <span aria-hidden="true">+{diff.added}</span>
          <span class="sr-only">{formatCount(diff.added, 'line')} added</span>
        </span>
        <span class="diff-removed">
          <span aria-hidden="true">−{diff.removed}</span>
          <span class="sr-only">{formatCount(diff.removed, 'line')} removed</span>
        </span>
      </div>
      {hasLines && open && <DiffLines diff={diff} whole={whole} />}
      {whole && diff.cut && <p class="diff-note">{hasLines ? partial : unshown}</p>}
      {(diff.cut || !hasLines) && (open || !hasLines) && (
        <button type="button" class="more" onClick={openDiff}>
          {hasLines ? 'Show the whole change in the diff editor' : 'Show in the diff editor'}
        </button>
      )}
    </div>
  );
}

const partial = 'This is only a part of the change.';
const unshown = 'The change is too large to be shown here.';

const marks = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const;
const spoken = { same: '', added: 'Added: ', removed: 'Removed: ', gap: 'Lines left out' } as const;

function DiffLines({ diff, whole }: Required<Pick<DiffProps, 'diff' | 'whole'>>): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines have to be reachable by keyboard
    <pre class="diff-lines" tabIndex={0}>
      <code>
        {diff.lines.map((line, at) => (
          <div key={at} class={`diff-line diff-line-${line.type}`}>
            <span class="diff-mark" aria-hidden="true">
              {marks[line.type]}
            </span>
            {spoken[line.type] && <span class="sr-only">{spoken[line.type]}</span>}
            {whole ? literal(line.text) : line.text}
            {'\n'}
          </div>
        ))}
      </code>
    </pre>
  );
}
