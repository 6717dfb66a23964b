import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Choice, ChoiceGroup } from '../../shared/config';
import { Icon } from '../render/icon';
import { filtered, nameOf, needsFilter } from './choices';
import { OptionList } from './optionList';

interface PickerProps {
  readonly name: string;
  readonly description?: string;
  readonly value: string;
  readonly groups: readonly ChoiceGroup[];
  /** The name stands before the value. */
  readonly showsName: boolean;
  readonly onPick: (value: string) => void;
}

/** A value that opens a list of choices, as VS Code's own dropdowns do. */
export function Picker(props: PickerProps): VNode {
  const { name, description, value, groups, showsName, onPick } = props;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const current = nameOf(groups, value);
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
        aria-label={`${name}: ${current}`}
        title={
          description === undefined ? `${name}: ${current}` : `${name}: ${current}\n${description}`
        }
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (!open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
            event.preventDefault();
            setOpen(true);
          }
        }}
      >
        <span class="one-line">{showsName ? `${name}: ${current}` : current}</span>
        <Icon name="chevron-down" />
      </button>
      {open && (
        <Choices
          {...props}
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

interface ChoicesProps extends PickerProps {
  readonly button: { readonly current: HTMLElement | null };
  /** Closes and gives the focus back. */
  readonly onClose: () => void;
  /** The focus has gone elsewhere. */
  readonly onLeave: () => void;
}

function Choices(props: ChoicesProps): VNode {
  const { name, value, groups, button, onPick, onClose, onLeave } = props;
  const id = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(value);
  const popup = usePlacedPopup(button, active);
  const hasFilter = needsFilter(groups);
  const shown = filtered(groups, query);
  const choices = shown.flatMap((group) => group.choices);
  const at = Math.max(
    0,
    choices.findIndex((choice) => choice.value === active),
  );
  const options = {
    id,
    'aria-activedescendant': choices.length > 0 ? `${id}-${at}` : undefined,
  };
  const filter = (text: string): void => {
    setQuery(text);
    setActive(filtered(groups, text)[0]?.choices[0]?.value ?? value);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and focus are those of what is inside
    <div
      ref={popup}
      class="popup picker-popup"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          onClose();
        } else if (event.key === 'Enter' || (event.key === ' ' && !hasFilter)) {
          const choice = choices[at];
          if (choice) {
            onPick(choice.value);
          }
        } else {
          const next = choiceFor(event.key, choices, at, hasFilter);
          if (!next) {
            return;
          }
          setActive(next.value);
        }
        event.preventDefault();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const inside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!inside && relatedTarget !== button.current) {
          onLeave();
        }
      }}
    >
      {hasFilter && (
        <input
          type="text"
          class="picker-filter"
          role="combobox"
          aria-expanded={true}
          aria-controls={id}
          aria-activedescendant={options['aria-activedescendant']}
          aria-label={`Filter ${name}`}
          placeholder="Filter"
          spellcheck={false}
          value={query}
          onInput={(event) => filter(event.currentTarget.value)}
        />
      )}
      {choices.length === 0 && <p class="popup-empty">No matches</p>}
      <OptionList
        {...options}
        name={name}
        groups={shown}
        value={value}
        active={choices[at]?.value}
        inTabOrder={!hasFilter}
        onPick={onPick}
        onPoint={setActive}
      />
    </div>
  );
}

/** The choice that a key goes to; a letter goes to the next one that begins with it. */
function choiceFor(
  key: string,
  choices: readonly Choice[],
  at: number,
  hasFilter: boolean,
): Choice | undefined {
  const last = choices.length - 1;
  switch (key) {
    case 'ArrowDown':
      return choices[at === last ? 0 : at + 1];
    case 'ArrowUp':
      return choices[at === 0 ? last : at - 1];
    case 'PageDown':
      return choices[Math.min(last, at + 10)];
    case 'PageUp':
      return choices[Math.max(0, at - 10)];
  }
  if (hasFilter) {
    return undefined;
  }
  switch (key) {
    case 'Home':
      return choices[0];
    case 'End':
      return choices[last];
    default:
      return [...choices.slice(at + 1), ...choices.slice(0, at + 1)].find(({ name }) =>
        name.toLowerCase().startsWith(key.toLowerCase()),
      );
  }
}

/** Puts the list above its button, within the composer; takes the focus; keeps the active choice in view. */
function usePlacedPopup(
  button: { readonly current: HTMLElement | null },
  active: string,
): { readonly current: HTMLDivElement | null } {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = popup.current;
    const box = element?.offsetParent;
    if (element && box && button.current) {
      const start = button.current.getBoundingClientRect().left - box.getBoundingClientRect().left;
      element.style.left = `${Math.max(0, Math.min(start, box.clientWidth - element.offsetWidth))}px`;
    }
    element?.querySelector<HTMLElement>('input, [role="listbox"]')?.focus();
  }, [button]);
  useLayoutEffect(() => {
    popup.current?.querySelector('.popup-active')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return popup;
}
