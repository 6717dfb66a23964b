import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { DrawnCompaction } from '../../shared/transcript/drawn';
import { Blocks } from '../content/blocks';
import { Fold } from '../parts/fold';

const labels = new Map([
  ['in_progress', l10n.t('Compacting the context…')],
  ['completed', l10n.t('Context compacted')],
  ['failed', l10n.t('The context couldn’t be compacted')],
  ['cancelled', l10n.t('Compacting the context was canceled')],
]);

/** CP-2, CP-4: the agent compacted its context; the entries above stay. */
export function Compaction({ compaction }: { readonly compaction: DrawnCompaction }): VNode {
  const label = labels.get(compaction.status) ?? l10n.t('Context: {0}', compaction.status);
  const line = <span class="divider-label">{label}</span>;
  return (
    <div class={`entry compaction compaction-${compaction.status === 'failed' ? 'failed' : 'ok'}`}>
      {compaction.summary.length === 0 ? (
        <div class="divider">{line}</div>
      ) : (
        <Fold part="summary" class="divider-fold" summary={line}>
          {() => <Blocks blocks={compaction.summary} part="blocks" />}
        </Fold>
      )}
      {compaction.error && <p class="failure-text">{compaction.error}</p>}
    </div>
  );
}
