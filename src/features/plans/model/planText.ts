import * as l10n from '@vscode/l10n';
import type { Block, PlanItem } from '../../../shared/transcript/content';
import type { PlanEntry } from '../../../shared/transcript/entries';

/** A plan as Markdown: the text that the agent has written, or its list with what is done. */
export function getPlanText({ items, blocks = [] }: PlanEntry): string {
  const list = items.map(itemLine).join('\n');
  return [list, ...blocks.map(blockText)].filter((part) => part !== '').join('\n\n');
}

function itemLine({ content, status }: PlanItem): string {
  const text = content.replace(/\s+/g, ' ').trim();
  switch (status) {
    case 'completed':
      return `- [x] ${text}`;
    case 'in_progress':
      return `- [ ] ${text} (${l10n.t('In progress')})`;
    case 'cancelled':
      return `- [ ] ${text} (${l10n.t('Canceled')})`;
    case 'pending':
      return `- [ ] ${text}`;
  }
}

function blockText(block: Block): string {
  return block.type === 'text' ? block.text : block.type === 'resource_link' ? block.uri : '';
}
