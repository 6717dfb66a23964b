import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { PlanItem } from '../../shared/transcript/content';
import { Icon } from './icon';
import { Many } from './many';

const looks = {
  pending: { icon: 'circle-large-outline', label: l10n.t('To do') },
  in_progress: { icon: 'play-circle', label: l10n.t('In progress') },
  completed: { icon: 'pass-filled', label: l10n.t('Done') },
  cancelled: { icon: 'circle-slash', label: l10n.t('Canceled') },
} as const;

const priorities = { high: l10n.t('high priority'), low: l10n.t('low priority') } as const;

/** A to-do list with the state of each item, from a plan or from a tool that keeps one. */
export function PlanItems({ items }: { readonly items: readonly PlanItem[] }): VNode {
  return (
    <ul class="plan-items">
      <Many items={items} draw={(item, at) => <PlanLine key={at} item={item} />} />
    </ul>
  );
}

function PlanLine({ item }: { readonly item: PlanItem }): VNode {
  const { icon, label } = looks[item.status];
  return (
    <li class={`plan-item plan-${item.status}`}>
      <Icon name={icon} />
      <span class="sr-only">{label}: </span>
      <span class="plan-content">{item.content}</span>
      {item.priority !== 'medium' && <span class="plan-priority">{priorities[item.priority]}</span>}
    </li>
  );
}
