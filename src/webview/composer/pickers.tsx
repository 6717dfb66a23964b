import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { ConfigOption } from '../../shared/transcript/config';
import { Icon } from '../parts/icon';
import { useSessionPart, useTranscript } from '../state/context';
import { choiceNameOf, choicesOf, inOrder, namedValue } from './choices';
import { Picker } from './picker';

/** Categories whose values are self-explanatory; the values of others are shown with the option's name. */
const obvious: ReadonlySet<string | undefined> = new Set(['mode', 'model']);

interface PickersProps {
  /** Whether to show every value with its name. */
  readonly named?: boolean;
}

/**
 * The session's options, or its modes if it has no options (MO-1). Renders nothing when it has
 * neither (CF-10).
 */
export function Pickers({ named = false }: PickersProps): VNode {
  const { post } = useTranscript();
  const options = useSessionPart('configOptions') ?? [];
  const modes = useSessionPart('modes');
  return (
    <>
      {inOrder(options).map((option) => (
        <Option key={option.id} option={option} named={named} />
      ))}
      {options.length === 0 && modes && modes.modes.length > 0 && (
        <Picker
          name={l10n.t('Mode')}
          value={modes.currentModeId}
          groups={choicesOf(modes)}
          showsName={named}
          onPick={(modeId) => post({ type: 'setMode', modeId })}
        />
      )}
    </>
  );
}

/** The same, of a session that can only be read. */
export function OptionsInWords(): VNode | null {
  const options = useSessionPart('configOptions') ?? [];
  const modes = useSessionPart('modes');
  const words = inOrder(options).map((option) =>
    option.type === 'boolean'
      ? `${option.name}: ${option.value ? l10n.t('on') : l10n.t('off')}`
      : namedValue(option.name, choiceNameOf(option.groups, option.value)),
  );
  if (options.length === 0 && modes && modes.modes.length > 0) {
    words.push(namedValue(l10n.t('Mode'), choiceNameOf(choicesOf(modes), modes.currentModeId)));
  }
  return words.length === 0 ? null : <span class="composer-options">{words.join(' · ')}</span>;
}

interface OptionProps extends Required<PickersProps> {
  readonly option: ConfigOption;
}

function Option({ option, named }: OptionProps): VNode {
  const { post } = useTranscript();
  const set = (value: string | boolean): void =>
    post({ type: 'setConfigOption', configId: option.id, value });
  if (option.type === 'boolean') {
    return (
      <button
        type="button"
        class="picker-button toggle"
        role="switch"
        aria-checked={option.value}
        title={option.description}
        onClick={() => set(!option.value)}
      >
        <Icon name={option.value ? 'check' : 'circle-large'} />
        <span class="one-line">{option.name}</span>
      </button>
    );
  }
  return (
    <Picker
      name={option.name}
      {...(option.description !== undefined && { description: option.description })}
      value={option.value}
      groups={option.groups}
      showsName={named || !obvious.has(option.category)}
      onPick={set}
    />
  );
}
