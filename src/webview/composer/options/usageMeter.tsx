import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useSessionPart } from '../../state/context';
import { turnUsageText } from '../../words/tokens';
import { PopupButton } from './popupButton';
import { type UsageText, usageText } from './usageText';

/** Radius of the ring, in SVG units. */
const radius = 6;
const length = 2 * Math.PI * radius;

/**
 * A ring that shows how full the agent's context is, and the session's cost (US-1), or the tokens of its turns (US-5) if
 * the agent tells nothing else; clicking it shows the details.
 */
export function UsageMeter(): VNode | null {
  const usage = useSessionPart('usage');
  const used = useSessionPart('tokens');
  const tokens = used && turnUsageText(used);
  const text: UsageText | undefined = usage
    ? usageText(usage)
    : tokens && { ...tokens, level: 'normal' };
  if (!text) {
    return null;
  }
  const lines = [
    ...(usage ? [text.detail] : []),
    ...(text.cost === undefined ? [] : [l10n.t('Cost so far: {0}', text.cost)]),
    ...(tokens ? [l10n.t('All turns: {0}', tokens.short), tokens.detail] : []),
  ];
  return (
    <div class="usage">
      {text.percent !== undefined && <Meter text={text} percent={text.percent} />}
      <PopupButton
        class="usage-button"
        label={l10n.t('Usage: {0}', [text.short, text.cost].filter(Boolean).join(', '))}
        title={lines.join('\n')}
        popupClass="usage-popup"
        face={<Face text={text} />}
      >
        {() => lines.map((line) => <p key={line}>{line}</p>)}
      </PopupButton>
    </div>
  );
}

/** The button's content: the ring and the cost. */
function Face({ text }: { readonly text: UsageText }): VNode {
  return (
    <>
      {text.percent === undefined ? (
        <span class="usage-cost">{text.short}</span>
      ) : (
        <Ring level={text.level} percent={text.percent} />
      )}
      {text.cost !== undefined && <span class="usage-cost">{text.cost}</span>}
    </>
  );
}

interface MeterProps {
  readonly text: UsageText;
  readonly percent: number;
}

/**
 * The meter for screen readers, outside of the button because a button's children have no roles of
 * their own.
 */
function Meter({ text, percent }: MeterProps): VNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element can't be drawn as a ring
    <span
      class={`sr-only usage-${text.level}`}
      role="meter"
      aria-label={l10n.t('Context')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text.short}
    />
  );
}

interface RingProps {
  readonly level: UsageText['level'];
  readonly percent: number;
}

function Ring({ level, percent }: RingProps): VNode {
  return (
    <span class={`usage-ring usage-${level}`}>
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
