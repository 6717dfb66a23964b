import * as l10n from '@vscode/l10n';
import { type NodeWord, nodeWords } from '../../../platform/ids';
import type { SubagentNode } from './nodes';

interface Look {
  readonly label: string;
  readonly description: string;
  readonly icon: { readonly id: string; readonly color?: string };
  readonly words: readonly NodeWord[];
  readonly expandable: boolean;
  readonly spoken: string;
  readonly click: 'open';
}

/** A click opens the session. `isParent`: whether subagents are at work that this one has started. */
export function subagentAppearance({ subagent, others }: SubagentNode, isParent: boolean): Look {
  const { title, state, canCancel } = subagent;
  const asks = state.kind === 'requires_action';
  const words = asks ? l10n.t('needs you') : l10n.t('running');
  const rest = others > 0 ? l10n.t('and {0} more', others) : undefined;
  const description = [words, rest].filter((part) => part !== undefined).join(' · ');
  return {
    label: title,
    description,
    icon: asks ? { id: 'bell-dot', color: 'list.warningForeground' } : { id: 'loading~spin' },
    words: [nodeWords.subagent, ...(canCancel ? [nodeWords.stoppable] : [])],
    expandable: isParent,
    spoken: [l10n.t('Subagent, {0}, {1}', title, words), rest].filter(Boolean).join(', '),
    click: 'open',
  };
}
