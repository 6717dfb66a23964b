import { type Signal, signal } from '@preact/signals';
import type { FieldValue, FormField, FormValues } from '../../shared/requests/questions';

/** What stands in a field's control. */
export type FieldDraft = string | boolean | readonly string[];
/** By the field's name. */
type FormDraft = ReadonlyMap<string, FieldDraft>;

/**
 * What people are filling into forms, by request: it stays while a form's row is scrolled out and gone.
 * Never saved (EL-17).
 */
export class FormDrafts {
  readonly #drafts = new Map<number, Signal<FormDraft>>();

  /** The draft of a form; the agent's defaults to begin with (EL-6). */
  of(requestId: number, fields: readonly FormField[]): Signal<FormDraft> {
    let draft = this.#drafts.get(requestId);
    if (!draft) {
      draft = signal(new Map(fields.map((field) => [field.name, initialOf(field)])));
      this.#drafts.set(requestId, draft);
    }
    return draft;
  }

  /** The form is answered. */
  forget(requestId: number): void {
    this.#drafts.delete(requestId);
  }
}

function initialOf(field: FormField): FieldDraft {
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

/** What to answer with: a field that was left empty is absent (EL-18). */
export function valuesOf(fields: readonly FormField[], draft: FormDraft): FormValues {
  const values = fields.flatMap((field): [string, FieldValue][] => {
    const value = valueOf(field, draft.get(field.name) ?? '');
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(values);
}

function valueOf(field: FormField, draft: FieldDraft): FieldValue | undefined {
  switch (field.type) {
    case 'boolean':
      return draft;
    case 'multiselect':
      return typeof draft === 'object' && draft.length === 0 && !field.required ? undefined : draft;
    case 'number':
    case 'integer':
      return typeof draft === 'string' ? numberOf(draft.trim()) : undefined;
    case 'string':
    case 'select':
      return draft === '' ? undefined : draft;
    case 'unknown':
      return undefined;
  }
}

/** What is no number goes as it is: what is wrong with it is for the host to say. */
function numberOf(text: string): FieldValue | undefined {
  const number = Number(text);
  return text === '' ? undefined : Number.isFinite(number) ? number : text;
}
