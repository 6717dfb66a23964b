import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { Icon } from '../../parts/icon';
import { useTranscript } from '../../state/context';
import type { ComposerState } from '../draft/composerState';
import { AskedAgents } from './askedAgents';
import { Pickers } from './pickers';
import { PopupButton } from './popupButton';

interface OptionsMenuProps {
  readonly composer: ComposerState;
}

/** The composer's options as a menu, for tabs too low to show them in a row. */
export function OptionsMenu({ composer }: OptionsMenuProps): VNode {
  const { post } = useTranscript();
  const label = l10n.t('Prompt options');
  return (
    <PopupButton
      class="icon-button"
      label={label}
      title={label}
      popupClass="options-menu"
      face={<Icon name="settings" />}
    >
      {(close) => (
        <>
          <AskedAgents />
          <Pickers named />
          <Item
            icon="add"
            label={l10n.t('Add Files…')}
            onClick={() => {
              close();
              post({ type: 'pickFiles' });
            }}
          />
          <Item
            icon="edit"
            label={l10n.t('Edit Prompt in Editor')}
            onClick={() => {
              close();
              composer.editInEditor();
            }}
          />
        </>
      )}
    </PopupButton>
  );
}

interface ItemProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
}

function Item({ icon, label, onClick }: ItemProps): VNode {
  return (
    <button type="button" class="popup-option" onClick={onClick}>
      <Icon name={icon} />
      <span class="popup-name">{label}</span>
    </button>
  );
}
