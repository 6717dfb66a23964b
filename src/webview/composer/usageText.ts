import type { Usage } from '../../shared/messages';
import { formatNumber } from '../format';

export interface UsageText {
  /** 0 to 100; absent when the agent names no size. */
  readonly percent?: number;
  /** How full the context is, by the protocol's own thresholds (US-4). */
  readonly level: 'normal' | 'raised' | 'high' | 'full';
  /** `42% of context`, or the tokens when there is no size to compare with. */
  readonly short: string;
  readonly detail: string;
  /** `0.42 USD`; the unit is the agent's word, a currency or not (US-1). */
  readonly cost?: string;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const wholeAmount = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const smallAmount = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** Context and cost in words, for any numbers (US-3). */
export function usageText({ used, size, cost }: Usage): UsageText {
  const share = size > 0 ? Math.min(1, Math.max(0, used / size)) : Number.NaN;
  const costText = cost && amountOf(cost);
  const rest = { level: levelOf(share), ...(costText && { cost: costText }) };
  if (!Number.isFinite(share)) {
    const short = `${tokens(used)} tokens in context`;
    return { ...rest, short, detail: short };
  }
  // A context that isn't full yet never reads as full.
  const percent = share < 1 ? Math.min(99, Math.round(share * 100)) : 100;
  const short = `${formatNumber(percent)}% of context`;
  return {
    ...rest,
    percent,
    short,
    detail: `${short} used: ${tokens(used)} of ${tokens(size)} tokens`,
  };
}

function levelOf(share: number): UsageText['level'] {
  if (share >= 0.95) {
    return 'full';
  }
  if (share >= 0.9) {
    return 'high';
  }
  return share >= 0.75 ? 'raised' : 'normal';
}

function tokens(value: number): string {
  return Number.isFinite(value) ? compact.format(Math.max(0, value)) : 'many';
}

function amountOf({ amount, currency }: NonNullable<Usage['cost']>): string | undefined {
  if (!Number.isFinite(amount)) {
    return undefined;
  }
  const format = amount === 0 || Math.abs(amount) >= 1 ? wholeAmount : smallAmount;
  const number = Math.abs(amount) >= 1e6 ? compact.format(amount) : format.format(amount);
  return `${number} ${currency}`.trim();
}
