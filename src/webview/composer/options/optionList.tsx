import type { VNode } from 'preact';
import type { Choice, ChoiceGroup } from '../../../shared/transcript/config';
import { Icon } from '../../parts/icon';

interface OptionListProps {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly ChoiceGroup[];
  /** The current value. */
  readonly value: string;
  /** The value that Enter picks. */
  readonly active: string | undefined;
  /** `undefined` while the focus is elsewhere. */
  readonly activeId: string | undefined;
  readonly inTabOrder: boolean;
  readonly onPick: (value: string) => void;
  readonly onPoint: (value: string) => void;
}

/** Choices under their groups' headings; option ids are numbered across all groups. */
export function OptionList(props: OptionListProps): VNode {
  const { id, name, groups, activeId, inTabOrder } = props;
  const starts = groups.map((_, at) =>
    groups.slice(0, at).reduce((sum, { choices }) => sum + choices.length, 0),
  );
  return (
    <div
      id={id}
      class="picker-list"
      role="listbox"
      aria-label={name}
      tabIndex={inTabOrder ? 0 : -1}
      aria-activedescendant={activeId}
    >
      {groups.map((group, at) => {
        const options = group.choices.map((choice, offset) => (
          <Option
            key={choice.value}
            id={`${id}-${(starts[at] ?? 0) + offset}`}
            choice={choice}
            list={props}
          />
        ));
        return group.name === undefined ? (
          options
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
          <div key={at} role="group" aria-label={group.name}>
            <div class="popup-group" aria-hidden="true">
              {group.name}
            </div>
            {options}
          </div>
        );
      })}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly list: OptionListProps;
}

function Option({ id, choice, list }: OptionProps): VNode {
  const { value, name, description } = choice;
  const isActive = value === list.active;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the whole list
    <div
      id={id}
      class={isActive ? 'popup-option popup-active' : 'popup-option'}
      role="option"
      tabIndex={-1}
      aria-selected={value === list.value}
      title={description}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => !isActive && list.onPoint(value)}
      onClick={() => list.onPick(value)}
    >
      <Icon name={value === list.value ? 'check' : 'blank'} />
      <span class="popup-name">{name}</span>
      {description !== undefined && <span class="popup-detail">{description}</span>}
    </div>
  );
}
