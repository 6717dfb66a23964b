import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ChoiceGroup } from '../../shared/transcript/config';
import { Icon } from '../render/icon';
import { ChoicePopup } from './choicePopup';
import { namedValue, nameOf } from './choices';

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
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const current = nameOf(groups, value);
  const named = namedValue(name, current);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="picker-button"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-label={named}
        title={description === undefined ? named : `${named}\n${description}`}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (!open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
            event.preventDefault();
            setOpen(true);
          }
        }}
      >
        <span class="one-line">{showsName ? named : current}</span>
        <Icon name="chevron-down" />
      </button>
      {open && (
        <ChoicePopup
          name={name}
          value={value}
          groups={groups}
          button={button}
          onPick={(picked) => {
            close();
            if (picked !== value) {
              onPick(picked);
            }
          }}
          onClose={close}
          onLeave={() => setOpen(false)}
        />
      )}
    </>
  );
}
