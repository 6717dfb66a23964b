import { type Signal, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { maxAnswerLength } from '../../shared/lengths';
import type {
  FieldValue,
  FormErrors,
  FormField,
  FormValues,
} from '../../shared/requests/agentQuestions';
import { formatNumber } from '../words/format';

/** The content of a field's control. */
export type FieldDraft = string | boolean | readonly string[];
/** The fields by name. */
type FormDraft = ReadonlyMap<string, FieldDraft>;

/**
 * The user's input in forms, by request id: it survives the form's row being scrolled out of the
 * DOM. Never saved (EL-17).
 */
export class FormDrafts {
  readonly #drafts = new Map<number, Signal<FormDraft>>();

  /** The draft of a form, initially the agent's defaults (EL-6). */
  of(requestId: number, fields: readonly FormField[]): Signal<FormDraft> {
    let draft = this.#drafts.get(requestId);
    if (!draft) {
      draft = signal(new Map(fields.map((field) => [field.name, getInitialDraft(field)])));
      this.#drafts.set(requestId, draft);
    }
    return draft;
  }

  /** Call when the form has been answered. */
  forget(requestId: number): void {
    this.#drafts.delete(requestId);
  }
}

function getInitialDraft(field: FormField): FieldDraft {
  switch (field.type) {
    case 'boolean':
      return field.initial ?? false;
    case 'multiselect':
      return field.initial ?? [];
    case 'number':
    case 'integer':
      return field.initial === undefined ? '' : String(field.initial);
    case 'string':
    case 'select':
      return field.initial ?? '';
    case 'unknown':
      return '';
  }
}

/** The values to submit, without the fields left empty (EL-18). */
export function getValues(fields: readonly FormField[], draft: FormDraft): FormValues {
  const values = fields.flatMap((field): [string, FieldValue][] => {
    const value = findValue(field, draft.get(field.name) ?? '');
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(values);
}

function findValue(field: FormField, draft: FieldDraft): FieldValue | undefined {
  switch (field.type) {
    case 'boolean':
      return draft;
    case 'multiselect':
      return typeof draft === 'object' && draft.length === 0 && !field.required ? undefined : draft;
    case 'number':
    case 'integer':
      return typeof draft === 'string' ? findNumber(draft.trim()) : undefined;
    case 'string':
    case 'select':
      return draft === '' ? undefined : draft;
    case 'unknown':
      return undefined;
  }
}

/** Text that isn't a number is passed on as is, for the host to reject. */
function findNumber(text: string): FieldValue | undefined {
  const number = Number(text);
  return text === '' ? undefined : Number.isFinite(number) ? number : text;
}

/** Errors for the values that the host wouldn't take; `undefined` if there are none. */
export function tooLong(values: FormValues): FormErrors | undefined {
  const names = Object.keys(values).filter((name) => {
    const value = values[name];
    return typeof value === 'string' && value.length > maxAnswerLength;
  });
  const error = l10n.t('Enter at most {0} characters.', formatNumber(maxAnswerLength));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, error]));
}
