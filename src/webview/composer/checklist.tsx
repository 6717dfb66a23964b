import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { getProgress } from '../../shared/transcript/checklist';
import { Icon } from '../parts/icon';
import { isLow } from '../parts/lowWindow';
import { PlanItems } from '../parts/planItems';
import { useSessionPart } from '../state/context';

/** How far the agent is with its list, wherever in the transcript that is; nothing once all of it is done. */
export function Checklist(): VNode | null {
  const items = useSessionPart('checklist') ?? [];
  const isRunning = useSessionPart('turn')?.kind === 'running';
  const isOpen = useSignal(false);
  const { done, count, now } = getProgress(items);
  if (count === 0 || isLow.value || (now === undefined && !isRunning)) {
    return null;
  }
  return (
    <section class="checklist" aria-label={l10n.t('Checklist')}>
      <button
        type="button"
        class="checklist-head"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="checklist" />
        <span class="checklist-count">{l10n.t('{0} of {1} done', done, count)}</span>
        {now !== undefined && !isOpen.value && <span class="one-line">{now}</span>}
        <Icon name={isOpen.value ? 'chevron-down' : 'chevron-up'} class="chevron" />
      </button>
      {isOpen.value && <PlanItems items={items} />}
    </section>
  );
}
