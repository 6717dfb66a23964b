import type { ComponentChildren, VNode } from 'preact';
import { useEntryIndex, useTranscript } from '../state/context';
import { Icon } from './icon';

/** Whether a part of the enclosing entry is open, and a function that toggles it. */
export function useFold(part: string, normally: boolean): [open: boolean, toggle: () => void] {
  const { state } = useTranscript();
  const index = useEntryIndex();
  const open = state.folds.isOpen(index, part, normally);
  return [open, () => state.folds.set(index, part, !open)];
}

interface FoldProps {
  readonly part: string;
  readonly normally?: boolean;
  readonly class: string;
  /** Content of the line that is always visible. */
  readonly summary: ComponentChildren;
  /** Rendered only while open. */
  readonly children: () => ComponentChildren;
}

/** A line that folds and unfolds the content below it. */
export function Fold({ part, normally = false, class: name, summary, children }: FoldProps): VNode {
  const [open, toggle] = useFold(part, normally);
  return (
    <div class={`fold ${name}`}>
      <button type="button" class="fold-head" aria-expanded={open} onClick={toggle}>
        <Chevron open={open} />
        {summary}
      </button>
      {open && <div class="fold-body">{children()}</div>}
    </div>
  );
}

export function Chevron({ open }: { readonly open: boolean }): VNode {
  return <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />;
}
