import type { Signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { Icon } from '../../parts/icon';

interface FoldedLineProps {
  /** What it is, for people who don't see it. */
  readonly label: string;
  readonly icon: string;
  /** Of whoever shows the line, so that it stays as it is while the line is away. */
  readonly isOpen: Signal<boolean>;
  /** What the line says. */
  readonly head: ComponentChildren;
  /** What is below it while it is open. */
  readonly body: () => ComponentChildren;
}

/** A line above the prompt that opens what it is about. */
export function FoldedLine({ label, icon, isOpen, head, body }: FoldedLineProps): VNode {
  return (
    <section class="checklist" aria-label={label}>
      <button
        type="button"
        class="checklist-head"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name={icon} />
        {head}
        <Icon name={isOpen.value ? 'chevron-down' : 'chevron-up'} class="chevron" />
      </button>
      {isOpen.value && body()}
    </section>
  );
}
