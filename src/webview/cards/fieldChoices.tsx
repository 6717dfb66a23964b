import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literal } from '../../shared/literal';
import type { FormField } from '../../shared/requests/agentQuestions';
import { useMany } from '../parts/many';
import type { FieldDraft } from '../state/formDrafts';
import { type ControlAttributes, Title } from './fieldParts';

type ChoiceField = Extract<FormField, { readonly choices: unknown }>;

interface FieldChoicesProps {
  readonly field: ChoiceField;
  readonly value: FieldDraft;
  readonly onChange: (value: FieldDraft) => void;
  readonly attributes: ControlAttributes;
}

/** Number of choices beyond which a drop-down list replaces the radio buttons. */
const maxRadios = 5;

/** EL-6: a single or multiple choice. */
export function FieldChoices(props: FieldChoicesProps): VNode {
  const { field } = props;
  if (field.type === 'select' && field.choices.length > maxRadios) {
    return <Select {...props} />;
  }
  return <Group {...props} />;
}

function Select({ field, value, onChange, attributes }: FieldChoicesProps): VNode {
  return (
    <>
      <label class="field-label" for={attributes.id}>
        <Title field={field} />
      </label>
      <select
        {...attributes}
        class="field-input"
        aria-required={field.required}
        value={String(value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">{field.required ? l10n.t('Choose…') : l10n.t('No answer')}</option>
        {field.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {literal(choice.title)}
          </option>
        ))}
      </select>
    </>
  );
}

/** Radio buttons for a single choice, checkboxes for a multiple choice. */
function Group({ field, value, onChange, attributes }: FieldChoicesProps): VNode {
  const isSingle = field.type === 'select';
  const chosen = typeof value === 'object' ? value : [String(value)];
  const choices =
    isSingle && !field.required
      ? [...field.choices, { value: '', title: l10n.t('No answer') }]
      : field.choices;
  const [shown, more] = useMany(choices);
  const toggle = (item: string, on: boolean): void => {
    const others = chosen.filter((other) => other !== item);
    onChange(isSingle ? item : on ? [...others, item] : others);
  };
  return (
    <fieldset {...attributes} class="field-group">
      <legend class="field-label">
        <Title field={field} />
      </legend>
      {shown.map((choice) => (
        <label key={choice.value} class="check">
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={attributes.id}
            checked={chosen.includes(choice.value)}
            onChange={({ currentTarget }) => toggle(choice.value, currentTarget.checked)}
          />
          <bdi>{literal(choice.title)}</bdi>
        </label>
      ))}
      {more}
    </fieldset>
  );
}
