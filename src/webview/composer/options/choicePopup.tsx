import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Choice, ChoiceGroup } from '../../../shared/transcript/config';
import { isComposing } from '../../keys/composing';
import type { Popup } from '../../usePopup';
import { filtered, needsFilter } from './configChoices';
import { OptionList } from './optionList';

interface ChoicePopupProps {
  readonly name: string;
  readonly value: string;
  readonly groups: readonly ChoiceGroup[];
  readonly popup: Popup;
  readonly onPick: (value: string) => void;
}

/** A picker's choices: the list has the focus, or, when there are many choices, a filter above it. */
export function ChoicePopup(props: ChoicePopupProps): VNode {
  const { name, value, groups, popup, onPick } = props;
  const id = useId();
  const list = useChoices(groups, value);
  const element = usePlacedPopup(popup.button.ref, list.active?.value);
  const hasFilter = needsFilter(groups);
  const activeId = list.active && `${id}-${list.at}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and focus are those of what is inside
    <div
      {...popup.content}
      ref={element}
      class="popup picker-popup"
      onKeyDown={(event) => {
        if (!isComposing(event) && handleKey(event.key, list, hasFilter, onPick)) {
          event.preventDefault();
        } else {
          popup.content.onKeyDown(event);
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
          aria-activedescendant={activeId}
          aria-label={l10n.t('Filter {0}', name)}
          placeholder={l10n.t('Filter')}
          spellcheck={false}
          value={list.query}
          onInput={({ currentTarget }) => list.filter(currentTarget.value)}
        />
      )}
      {list.choices.length === 0 && <p class="popup-empty">{l10n.t('No matches')}</p>}
      <OptionList
        id={id}
        name={name}
        groups={list.groups}
        value={value}
        active={list.active?.value}
        activeId={hasFilter ? undefined : activeId}
        inTabOrder={!hasFilter}
        onPick={onPick}
        onPoint={list.point}
      />
    </div>
  );
}

interface ChoiceList {
  readonly query: string;
  /** The groups that match the query. */
  readonly groups: readonly ChoiceGroup[];
  /** The matching choices of all groups. */
  readonly choices: readonly Choice[];
  /** The choice that Enter picks, and its index in `choices`. */
  readonly active: Choice | undefined;
  readonly at: number;
  readonly filter: (query: string) => void;
  readonly point: (value: string) => void;
}

function useChoices(all: readonly ChoiceGroup[], value: string): ChoiceList {
  const [query, setQuery] = useState('');
  const [pointed, point] = useState(value);
  const groups = filtered(all, query);
  const choices = groups.flatMap((group) => group.choices);
  const found = choices.findIndex((choice) => choice.value === pointed);
  const at = Math.max(0, found);
  const filter = (text: string): void => {
    setQuery(text);
    point(filtered(all, text)[0]?.choices[0]?.value ?? value);
  };
  return { query, groups, choices, active: choices[at], at, filter, point };
}

function handleKey(
  key: string,
  { choices, at, active, point }: ChoiceList,
  hasFilter: boolean,
  onPick: (value: string) => void,
): boolean {
  if (key === 'Enter' || (key === ' ' && !hasFilter)) {
    if (active) {
      onPick(active.value);
    }
    return true;
  }
  const next = choiceFor(key, choices, at, hasFilter);
  if (next) {
    point(next.value);
  }
  return next !== undefined;
}

/** The choice that a key moves to; a character moves to the next choice that starts with it. */
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

/**
 * Positions the popup above its button, within the composer; takes the focus; keeps the active
 * choice in view.
 */
function usePlacedPopup(
  button: { readonly current: HTMLElement | null },
  active: string | undefined,
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
