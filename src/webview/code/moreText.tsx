import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FromWebview } from '../../shared/transcript/webviewMessages';
import { useEntryIndex, useTranscript } from '../state/context';
import { formatNumber } from '../words/format';

/** Location of a text in its entry, used to open it in full. */
export interface TextPlace {
  readonly part: Extract<FromWebview, { type: 'openText' }>['part'];
  readonly item: number;
}

interface MoreTextProps extends TextPlace {
  /** Number of characters that were cut off. */
  readonly omitted: number;
}

/** A button below a truncated text that opens the full text in an editor. */
export function MoreText({ omitted, part, item }: MoreTextProps): VNode | null {
  const { post } = useTranscript();
  const index = useEntryIndex();
  if (omitted === 0) {
    return null;
  }
  return (
    <button
      type="button"
      class="more"
      onClick={() => post({ type: 'openText', index, part, item })}
    >
      {omitted === 1
        ? l10n.t('Show all (1 more character)')
        : l10n.t('Show all ({0} more characters)', formatNumber(omitted))}
    </button>
  );
}
