import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { ChoiceGroup, ConfigOption } from '../../../shared/transcript/config';
import { type FirstChoiceKind, firstPickers } from '../../../shared/transcript/firstChoices';
import { Icon } from '../../parts/icon';
import { useSessionPart, useTranscript } from '../../state/context';
import { usePopup } from '../../usePopup';
import { AnotherAgent } from './askedAgents';
import { ChoicePopup } from './choicePopup';
import { getChoiceName, getChoices, inOrder, namedValue } from './configChoices';

/** Categories whose values are self-explanatory; the values of others are shown with the option's name. */
const obvious: ReadonlySet<string | undefined> = new Set(['mode', 'model']);

interface PickersProps {
  /** Whether to show every value with its name. */
  readonly named?: boolean;
}

/**
 * The session's options, or its modes if it has no options of its agent's (MO-1), and its models. Renders nothing
 * when it has none of them (CF-10).
 */
export function Pickers({ named = false }: PickersProps): VNode {
  const { post } = useTranscript();
  const options = useSessionPart('configOptions') ?? [];
  const modes = useSessionPart('modes');
  return (
    <>
      <FirstPickers named={named} />
      {modes && modes.modes.length > 0 && (
        <Picker
          name={l10n.t('Mode')}
          value={modes.currentModeId}
          groups={getChoices(modes)}
          showsName={named}
          onPick={(modeId) => post({ type: 'setMode', modeId })}
        />
      )}
      {inOrder(options).map((option) => (
        <Option key={option.id} option={option} named={named} />
      ))}
    </>
  );
}

/** Where a session begins, as long as it hasn't; nothing that has only one choice. */
function FirstPickers({ named }: Required<PickersProps>): VNode | null {
  const { post } = useTranscript();
  const first = useSessionPart('first');
  if (!first) {
    return null;
  }
  const names = { agent: l10n.t('Agent'), folder: l10n.t('Where') };
  const choose = (kind: FirstChoiceKind, value: string): void =>
    post({ type: 'chooseFirst', kind, value });
  return (
    <>
      {first.canAdd && <AnotherAgent />}
      {firstPickers
        .filter((kind) => first[kind].choices.length > 1)
        .map((kind) => (
          <Picker
            key={kind}
            name={names[kind]}
            value={first[kind].value}
            groups={[{ choices: first[kind].choices }]}
            showsName={named}
            onPick={(value) => choose(kind, value)}
          />
        ))}
      {(first.facts ?? []).map(({ key, name, value }) => (
        <button
          key={key}
          type="button"
          class="picker-button"
          title={l10n.t('Change {0}', namedValue(name, value))}
          onClick={() => choose('fact', key)}
        >
          <span class="one-line">{namedValue(name, value)}</span>
          <Icon name="edit" />
        </button>
      ))}
    </>
  );
}

/** The options of a session that can only be read, as words. */
export function OptionsInWords(): VNode | null {
  const options = useSessionPart('configOptions') ?? [];
  const modes = useSessionPart('modes');
  const words = inOrder(options).map((option) =>
    option.type === 'boolean'
      ? `${option.name}: ${option.value ? l10n.t('on') : l10n.t('off')}`
      : namedValue(option.name, getChoiceName(option.groups, option.value)),
  );
  if (modes && modes.modes.length > 0) {
    words.unshift(
      namedValue(l10n.t('Mode'), getChoiceName(getChoices(modes), modes.currentModeId)),
    );
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

interface PickerProps {
  readonly name: string;
  readonly description?: string;
  readonly value: string;
  readonly groups: readonly ChoiceGroup[];
  /** Whether the button shows the name before the value. */
  readonly showsName: boolean;
  readonly onPick: (value: string) => void;
}

/** A button that shows a value and opens its choices, like VS Code's dropdowns. */
function Picker(props: PickerProps): VNode {
  const { name, description, value, groups, showsName, onPick } = props;
  const popup = usePopup();
  const current = getChoiceName(groups, value);
  const named = namedValue(name, current);
  return (
    <>
      <button
        {...popup.button}
        type="button"
        class="picker-button"
        aria-haspopup="listbox"
        aria-label={named}
        title={description === undefined ? named : `${named}\n${description}`}
        onKeyDown={(event) => {
          if (!popup.open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
            event.preventDefault();
            popup.show();
          }
        }}
      >
        <span class="one-line">{showsName ? named : current}</span>
        <Icon name="chevron-down" />
      </button>
      {popup.open && (
        <ChoicePopup
          name={name}
          value={value}
          groups={groups}
          popup={popup}
          onPick={(picked) => {
            popup.close();
            if (picked !== value) {
              onPick(picked);
            }
          }}
        />
      )}
    </>
  );
}
