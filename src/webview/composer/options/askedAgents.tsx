import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FirstChoiceKind } from '../../../shared/transcript/firstChoices';
import { Icon, IconButton } from '../../parts/icon';
import { useSessionPart, useTranscript } from '../../state/context';

/** The agents that the first prompt goes to, if there are several, of which one has its options below. */
export function AskedAgents(): VNode | null {
  const { post } = useTranscript();
  const several = useSessionPart('first')?.several;
  if (!several) {
    return null;
  }
  const choose = (kind: FirstChoiceKind, value: string): void =>
    post({ type: 'chooseFirst', kind, value });
  return (
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
  );
}

/** Sends the first prompt to one more agent. */
export function AnotherAgent(): VNode {
  const { post } = useTranscript();
  return (
    <button
      type="button"
      class="picker-button"
      title={l10n.t('Send the prompt to one more agent, each in a worktree of its own')}
      onClick={() => post({ type: 'chooseFirst', kind: 'add', value: '' })}
    >
      <Icon name="add" />
      <span class="one-line">{l10n.t('Another Agent')}</span>
    </button>
  );
}
