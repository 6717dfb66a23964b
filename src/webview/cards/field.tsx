import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { literal } from '../../shared/literal';
import type { FormField } from '../../shared/requests/agentQuestions';
import { isSecret } from '../../shared/requests/secretField';
import type { FieldDraft } from '../state/formDrafts';
import { Warning } from './addressCard';
import { FieldChoices } from './fieldChoices';
import { type ControlAttributes, Title } from './fieldParts';

interface FieldProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: FieldDraft;
  readonly error: string | undefined;
  readonly onChange: (value: FieldDraft) => void;
}

const secretText = l10n.t(
  'This seems to ask for a secret. What you enter is sent to the agent, and may stay in its context.',
);

/** A field of an agent's form: label, control, description and error. */
export function Field(props: FieldProps): VNode {
  const { id, field, error } = props;
  const secret = isSecret(field);
  const described = [
    field.description !== undefined && `${id}-description`,
    secret && `${id}-secret`,
    error !== undefined && `${id}-error`,
  ].filter(Boolean);
  const attributes: ControlAttributes = {
    id,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    'aria-invalid': error !== undefined,
  };
  return (
    <div class="field">
      <Control {...props} attributes={attributes} secret={secret} />
      {field.description && (
        <p class="field-description" id={`${id}-description`}>
          {literal(field.description)}
        </p>
      )}
      {secret && <Warning id={`${id}-secret`} text={secretText} />}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface ControlProps extends FieldProps {
  readonly attributes: ControlAttributes;
  readonly secret: boolean;
}

function Control({ field, value, onChange, attributes, secret }: ControlProps): VNode {
  switch (field.type) {
    case 'boolean':
      return (
        <label class="check">
          <input
            {...attributes}
            type="checkbox"
            checked={value === true}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
          <Title field={field} />
        </label>
      );
    case 'select':
    case 'multiselect':
      return (
        <FieldChoices field={field} value={value} onChange={onChange} attributes={attributes} />
      );
    case 'unknown':
      return (
        <>
          <p class="field-label">
            <Title field={field} />
          </p>
          <p class="card-note">{l10n.t('This kind of field can’t be filled in here.')}</p>
        </>
      );
    case 'string':
    case 'number':
    case 'integer':
      return (
        <>
          <label class="field-label" for={attributes.id}>
            <Title field={field} />
          </label>
          <TextControl
            field={field}
            value={String(value)}
            onChange={onChange}
            attributes={attributes}
            secret={secret}
          />
        </>
      );
  }
}

/** Fields that accept more characters than this get a multi-line control. */
const longText = 300;

type TextField = Extract<FormField, { readonly type: 'string' | 'number' | 'integer' }>;

interface TextControlProps extends Omit<ControlProps, 'id' | 'error'> {
  readonly field: TextField;
  readonly value: string;
}

function TextControl({ field, value, onChange, attributes, secret }: TextControlProps): VNode {
  const shared = {
    ...attributes,
    class: 'field-input',
    value,
    spellcheck: false,
    'aria-required': field.required,
  };
  const onInput = (event: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(event.currentTarget.value);
  const isLong =
    field.type === 'string' &&
    !secret &&
    ((field.maxLength ?? 0) > longText || field.initial?.includes('\n'));
  if (isLong) {
    return <textarea {...shared} rows={3} onInput={onInput} />;
  }
  return secret ? (
    <input {...shared} type="password" autocomplete="off" onInput={onInput} />
  ) : (
    <input
      {...shared}
      type="text"
      inputMode={inputModes[field.type]}
      placeholder={field.type === 'string' ? examples.get(field.format ?? '') : undefined}
      onInput={onInput}
    />
  );
}

/** Examples for formats whose syntax isn't obvious from the label. */
const examples: ReadonlyMap<string, string> = new Map([
  ['date', 'YYYY-MM-DD'],
  ['date-time', 'YYYY-MM-DDThh:mm:ssZ'],
  ['uri', 'https://example.org'],
]);

const inputModes = { string: 'text', number: 'decimal', integer: 'numeric' } as const;
