import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { getProgress } from '../../../shared/transcript/checklist';
import { isLow } from '../../parts/lowWindow';
import { PlanItems } from '../../parts/planItems';
import { useSessionPart } from '../../state/context';
import { FoldedLine } from './foldedLine';

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
    <FoldedLine
      label={l10n.t('Checklist')}
      icon="checklist"
      isOpen={isOpen}
      head={
        <>
          <span class="checklist-count">{l10n.t('{0} of {1} done', done, count)}</span>
          {now !== undefined && !isOpen.value && <span class="one-line">{now}</span>}
        </>
      }
      body={() => <PlanItems items={items} />}
    />
  );
}
