import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { DrawnUnshown } from '../../shared/transcript/drawn';
import { useEntryIndex, useTranscript } from '../state/context';

/**
 * An entry that the host hasn't sent, because it can't be drawn or because the page already holds
 * as much as it may.
 */
export function Unshown({ reason }: Pick<DrawnUnshown, 'reason'>): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  return (
    <div class="entry">
      {reason === 'large' ? (
        <button type="button" class="more" onClick={() => post({ type: 'showRow', index })}>
          {l10n.t('Large entry, hidden to save memory. Show it')}
        </button>
      ) : (
        <p class="notice-detail">{l10n.t('This entry can’t be shown. The log has the details.')}</p>
      )}
    </div>
  );
}
