import type { VNode } from 'preact';
import type { PlanItem } from '../../shared/content';
import type { DrawnPlan } from '../../shared/drawn';
import { Fold } from './fold';
import { Icon } from './icon';

const looks = {
  pending: { icon: 'circle-large-outline', label: 'To do' },
  in_progress: { icon: 'play-circle', label: 'In progress' },
  completed: { icon: 'pass-filled', label: 'Done' },
} as const;

/** PL-1: the one plan, as it stands now. */
export function Plan({ plan }: { readonly plan: DrawnPlan }): VNode {
  const done = plan.items.filter(({ status }) => status === 'completed').length;
  return (
    <div class="entry">
      <Fold
        part="plan"
        normally
        class="plan"
        summary={
          <>
            <span>Plan</span>
            <span class="preview">
              {done} of {plan.items.length} done
            </span>
          </>
        }
      >
        {() => (
          <ul class="plan-items">
            {plan.items.map((item, at) => (
              <PlanLine key={at} item={item} />
            ))}
          </ul>
        )}
      </Fold>
    </div>
  );
}

function PlanLine({ item }: { readonly item: PlanItem }): VNode {
  const { icon, label } = looks[item.status];
  return (
    <li class={`plan-item plan-${item.status}`}>
      <Icon name={icon} />
      <span class="sr-only">{label}: </span>
      <span class="plan-content">{item.content}</span>
      {item.priority !== 'medium' && <span class="plan-priority">{item.priority}</span>}
    </li>
  );
}
