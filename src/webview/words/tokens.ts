import * as l10n from '@vscode/l10n';
import type { TurnUsage } from '../../shared/transcript/entries';
import { compact, formatNumber } from './format';

/** `12.3K tokens`, and the counts of each kind in words (US-5). */
export function turnUsageText(usage: TurnUsage): {
  readonly short: string;
  readonly detail: string;
} {
  const { total, input, output, thought, cachedRead, cachedWrite } = usage;
  const counts = [
    l10n.t('Input: {0}', formatNumber(input)),
    l10n.t('Output: {0}', formatNumber(output)),
    ...(thought === undefined ? [] : [l10n.t('Reasoning: {0}', formatNumber(thought))]),
    ...(cachedRead === undefined ? [] : [l10n.t('Read from cache: {0}', formatNumber(cachedRead))]),
    ...(cachedWrite === undefined
      ? []
      : [l10n.t('Written to cache: {0}', formatNumber(cachedWrite))]),
  ];
  return { short: l10n.t('{0} tokens', compact.format(total)), detail: counts.join(' · ') };
}
