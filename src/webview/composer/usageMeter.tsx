import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useSessionPart } from '../context';
import { type UsageText, usageText } from './usageText';

/** Radius of the ring, in the units of its picture. */
const radius = 6;
const length = 2 * Math.PI * radius;

/** How full the agent's context is, and what the session has cost (US-1), as a quiet ring. */
export function UsageMeter(): VNode | null {
  const usage = useSessionPart('usage');
  if (!usage) {
    return null;
  }
  const text = usageText(usage);
  const title =
    text.cost === undefined ? text.detail : l10n.t('{0}\nCost so far: {1}', text.detail, text.cost);
  return (
    <span class="usage" title={title}>
      {text.percent === undefined ? (
        <span>{text.short}</span>
      ) : (
        <Ring text={text} percent={text.percent} />
      )}
      {text.cost !== undefined && <span class="usage-cost">{text.cost}</span>}
    </span>
  );
}

function Ring({ text, percent }: { readonly text: UsageText; readonly percent: number }): VNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element can't be drawn as a ring
    <span
      class={`usage-ring usage-${text.level}`}
      role="meter"
      aria-label={l10n.t('Context')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text.short}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle class="usage-track" cx="8" cy="8" r={radius} />
        <circle
          class="usage-part"
          cx="8"
          cy="8"
          r={radius}
          stroke-dasharray={`${(percent / 100) * length} ${length}`}
        />
      </svg>
    </span>
  );
}
