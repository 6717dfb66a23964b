import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { PlanItem } from '../../shared/transcript/content';
import type { DrawnPlan } from '../../shared/transcript/drawn';
import { Blocks } from '../content/blocks';
import { Fold } from '../parts/fold';
import { PlanItems } from '../parts/planItems';
import { useEntryIndex, useTranscript } from '../state/context';

/** PL-1: one of the session's plans in its current state. */
export function Plan({ plan }: { readonly plan: DrawnPlan }): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  const { blocks = [] } = plan;
  const act = (what: 'open' | 'continue') => () => post({ type: 'plan', act: what, index });
  const done = plan.items.filter(({ status }) => status === 'completed').length;
  return (
    <div class="entry">
      <Fold
        part="plan"
        normally
        class="plan"
        summary={
          <>
            <span>{l10n.t('Plan')}</span>
            {plan.items.length > 0 && (
              <span class="preview">{l10n.t('{0} of {1} done', done, plan.items.length)}</span>
            )}
          </>
        }
      >
        {() => (
          <>
            {plan.items.length > 0 && <PlanItems items={plan.items} />}
            {blocks.length > 0 && (
              <div class="plan-blocks">
                <Blocks blocks={blocks} part="blocks" />
              </div>
            )}
            <div class="plan-actions">
              <button type="button" class="text-button" onClick={act('open')}>
                {l10n.t('Open Plan')}
              </button>
              {!isDone(plan) && (
                <button type="button" class="text-button" onClick={act('continue')}>
                  {l10n.t('Continue with This Plan…')}
                </button>
              )}
            </div>
          </>
        )}
      </Fold>
    </div>
  );
}

/** Whether nothing of a list is left to do. */
function isDone({ items, blocks = [] }: DrawnPlan): boolean {
  const isOpen = ({ status }: PlanItem) => status === 'pending' || status === 'in_progress';
  return blocks.length === 0 && !items.some(isOpen);
}
