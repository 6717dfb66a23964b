import type { VNode } from 'preact';
import type { ChoiceGroup } from '../../shared/transcript/config';
import { Icon } from '../parts/icon';
import { usePopup } from '../usePopup';
import { ChoicePopup } from './choicePopup';
import { choiceNameOf, namedValue } from './choices';

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
export function Picker(props: PickerProps): VNode {
  const { name, description, value, groups, showsName, onPick } = props;
  const popup = usePopup();
  const current = choiceNameOf(groups, value);
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
