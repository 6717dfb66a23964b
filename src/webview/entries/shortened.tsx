import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEntryIndex, useTranscript } from '../state/context';

/** Shown with an entry that is too large for its row: a button that opens the full entry in an editor. */
export function Shortened(): VNode {
  const { post } = useTranscript();
  const index = useEntryIndex();
  return (
    <div class="entry">
      <button
        type="button"
        class="more"
        onClick={() => post({ type: 'openText', index, part: 'whole', item: 0 })}
      >
        {l10n.t('Too large to show in full here. Open it in an editor')}
      </button>
    </div>
  );
}
