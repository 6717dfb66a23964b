import * as l10n from '@vscode/l10n';
import type {
  FieldValue,
  FormErrors,
  FormField,
  FormValues,
} from '../../shared/requests/agentQuestions';
import { testPattern } from '../text/boundedPattern';

/** The time limits for one value with an agent's pattern, and for all patterns of a form, in ms (EL-8). */
const patternMs = 50;
const patternsMs = 200;

/** The time left for a form's patterns. */
interface Budget {
  ms: number;
}

/** Returns an error text for each invalid field; `undefined` when the values can be sent (EL-6, EL-18). */
export function validateForm(
  fields: readonly FormField[],
  values: FormValues,
): FormErrors | undefined {
  const errors: Record<string, string> = Object.create(null) as Record<string, string>;
  const budget: Budget = { ms: patternsMs };
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const error = value === undefined ? missing(field) : wrong(field, value, budget);
    if (error !== undefined) {
      errors[field.name] = error;
    }
  }
  return Object.keys(errors).length === 0 ? undefined : errors;
}

/** Drops values that belong to no known field of the form. */
export function ownValues(fields: readonly FormField[], values: FormValues): FormValues {
  const known = new Set(fields.filter(({ type }) => type !== 'unknown').map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
}

function missing(field: FormField): string | undefined {
  if (!field.required) {
    return undefined;
  }
  return field.type === 'unknown'
    ? l10n.t('The agent requires this, but it can’t be entered here. Decline the request.')
    : l10n.t('Fill this in.');
}

function wrong(field: FormField, value: FieldValue, budget: Budget): string | undefined {
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? wrongText(field, value, budget) : l10n.t('Enter text.');
    case 'number':
    case 'integer':
      return typeof value === 'number' ? wrongNumber(field, value) : l10n.t('Enter a number.');
    case 'boolean':
      return typeof value === 'boolean' ? undefined : l10n.t('Choose yes or no.');
    case 'select':
      return field.choices.some((choice) => choice.value === value)
        ? undefined
        : l10n.t('Choose one of the values.');
    case 'multiselect':
      return Array.isArray(value)
        ? wrongChoices(field, value)
        : l10n.t('Choose some of the values.');
    case 'unknown':
      return undefined;
  }
}

function wrongText(
  field: Extract<FormField, { type: 'string' }>,
  value: string,
  budget: Budget,
): string | undefined {
  const { minLength = 0, maxLength = Infinity, pattern, format } = field;
  // JSON Schema counts code points.
  const length = Array.from(value).length;
  if (length < minLength) {
    return l10n.t('Enter at least {0} characters.', minLength);
  }
  if (length > maxLength) {
    return l10n.t('Enter at most {0} characters.', maxLength);
  }
  if (pattern !== undefined && !matches(pattern, value, budget)) {
    return l10n.t('This doesn’t match the pattern {0}', pattern.slice(0, 200));
  }
  return format === undefined ? undefined : wrongFormat(format, value);
}

const formats: Readonly<Record<string, readonly [(value: string) => boolean, string]>> = {
  email: [(value) => /^[^\s@]+@[^\s@]+$/.test(value), l10n.t('Enter a valid e-mail address.')],
  uri: [
    (value) => URL.canParse(value),
    l10n.t('Enter a valid address, such as https://example.org.'),
  ],
  date: [isDate, l10n.t('Enter a date, such as 2026-01-31.')],
  'date-time': [isDateTime, l10n.t('Enter a date and time, such as 2026-01-31T12:00:00Z.')],
};

/** EL-9: accepts any value for an unknown format. */
function wrongFormat(format: string, value: string): string | undefined {
  const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return known === undefined || known[0](value) ? undefined : known[1];
}

function isDate(value: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  // 30 February is parsed as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function isDateTime(value: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function wrongNumber(
  {
    type,
    minimum = -Infinity,
    maximum = Infinity,
  }: Extract<FormField, { type: 'number' | 'integer' }>,
  value: number,
): string | undefined {
  if (type === 'integer' ? !Number.isInteger(value) : !Number.isFinite(value)) {
    return type === 'integer' ? l10n.t('Enter a whole number.') : l10n.t('Enter a number.');
  }
  if (value < minimum) {
    return l10n.t('Enter {0} or more.', minimum);
  }
  return value > maximum ? l10n.t('Enter {0} or less.', maximum) : undefined;
}

function wrongChoices(
  { choices, minItems = 0, maxItems = Infinity }: Extract<FormField, { type: 'multiselect' }>,
  value: readonly string[],
): string | undefined {
  if (!value.every((item) => choices.some((choice) => choice.value === item))) {
    return l10n.t('Choose some of the values.');
  }
  if (value.length < minItems) {
    return l10n.t('Choose at least {0}.', minItems);
  }
  return value.length > maxItems ? l10n.t('Choose at most {0}.', maxItems) : undefined;
}

/**
 * Runs an agent's pattern with a time limit, so that catastrophic backtracking is stopped (EL-8). A
 * pattern that is invalid, too long or too slow is left for the agent to check.
 */
function matches(pattern: string, value: string, budget: Budget): boolean {
  const timeout = Math.min(patternMs, Math.ceil(budget.ms));
  if (timeout <= 0) {
    return true;
  }
  const begun = performance.now();
  const result = testPattern(pattern, 'u', [value], timeout);
  budget.ms -= performance.now() - begun;
  return result.kind !== 'tested' || result.matches[0] === true;
}
