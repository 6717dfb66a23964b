import * as l10n from '@vscode/l10n';
import { language } from '../../../shared/language';
import type { Usage } from '../../../shared/transcript/webviewMessages';
import { compact, formatNumber } from '../../words/format';

export interface UsageText {
  /** 0 to 100; absent when the agent reports no context size. */
  readonly percent?: number;
  /** How full the context is, by the protocol's thresholds (US-4). */
  readonly level: 'normal' | 'raised' | 'high' | 'full';
  /** `42% of context`, or the number of tokens when the context size is unknown. */
  readonly short: string;
  readonly detail: string;
  /** `0.42 USD`; the unit is chosen by the agent and need not be a currency (US-1). */
  readonly cost?: string;
}

const wholeAmount = new Intl.NumberFormat(language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const smallAmount = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });

/** Context and cost in words; accepts any numbers (US-3). */
export function usageText({ used, size, cost }: Usage): UsageText {
  const share = size > 0 ? Math.min(1, Math.max(0, used / size)) : Number.NaN;
  const costText = cost && findAmount(cost);
  const rest = { level: getLevel(share), ...(costText && { cost: costText }) };
  if (!Number.isFinite(share)) {
    const short = l10n.t('{0} tokens in context', tokens(used));
    return { ...rest, short, detail: short };
  }
  // Never 100% before the context is full.
  const percent = share < 1 ? Math.min(99, Math.round(share * 100)) : 100;
  const short = l10n.t('{0}% of context', formatNumber(percent));
  return {
    ...rest,
    percent,
    short,
    detail: l10n.t('{0} used: {1} of {2} tokens', short, tokens(used), tokens(size)),
  };
}

function getLevel(share: number): UsageText['level'] {
  if (share >= 0.95) {
    return 'full';
  }
  if (share >= 0.9) {
    return 'high';
  }
  return share >= 0.75 ? 'raised' : 'normal';
}

function tokens(value: number): string {
  return Number.isFinite(value) ? compact.format(Math.max(0, value)) : l10n.t('many');
}

function findAmount({ amount, currency }: NonNullable<Usage['cost']>): string | undefined {
  if (!Number.isFinite(amount)) {
    return undefined;
  }
  const format = amount === 0 || Math.abs(amount) >= 1 ? wholeAmount : smallAmount;
  const number = Math.abs(amount) >= 1e6 ? compact.format(amount) : format.format(amount);
  return `${number} ${currency}`.trim();
}
