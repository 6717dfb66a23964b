import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FirstChoiceKind, FirstChoices } from '../../../shared/transcript/firstChoices';
import { Icon, IconButton } from '../../parts/icon';

interface AskedAgentsProps {
  readonly first: FirstChoices;
  readonly choose: (kind: FirstChoiceKind, value: string) => void;
}

/** The agents that the first prompt goes to, if there are several, of which one has its options below; and one more. */
export function AskedAgents({ first, choose }: AskedAgentsProps): VNode {
  const { several, canAdd } = first;
  return (
    <>
      {several && (
        <fieldset class="asked-agents" aria-label={l10n.t('Agents that get the prompt')}>
          {several.agents.map(({ key, name }) => (
            <span key={key} class="asked-agent">
              <button
                type="button"
                class="picker-button toggle"
                aria-pressed={key === several.shown}
                title={l10n.t('Options of {0}', name)}
                onClick={() => choose('show', key)}
              >
                <span class="one-line">{name}</span>
              </button>
              <IconButton
                icon="close"
                label={l10n.t('Don’t Ask {0}', name)}
                onClick={() => choose('remove', key)}
              />
            </span>
          ))}
        </fieldset>
      )}
      {canAdd && (
        <button
          type="button"
          class="picker-button"
          title={l10n.t('Send the prompt to one more agent, each in a worktree of its own')}
          onClick={() => choose('add', '')}
        >
          <Icon name="add" />
          <span class="one-line">{l10n.t('Another Agent')}</span>
        </button>
      )}
    </>
  );
}
