import type { FormField } from '../../../shared/requests/agentQuestions';
import { asArray, asString, isObject, type JsonObject } from '../../../util/json';
import { boundedId, boundedTitle, maxId } from '../../bounds';
import { isCount } from '../normaliseContent';
import { invalid } from '../params';

type Base = Pick<FormField, 'name' | 'title' | 'description' | 'required'>;
type SelectChoice = Extract<FormField, { readonly type: 'select' }>['choices'][number];

/** Maximum number of fields: no user would fill in more. */
const maxFields = 500;

/**
 * The fields of a form, in the schema's order. A property of an unknown type, or without its type's
 * required members, becomes `unknown`, so that it is never shown as something that it isn't (EL-7),
 * and so does one whose name or choices are too long to be sent back. Malformed members of the
 * schema itself count as absent (EL-16).
 */
export function readFormFields(schema: JsonObject): readonly FormField[] {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  if (properties.length > maxFields) {
    throw invalid(`The form has more than ${maxFields} fields`);
  }
  const required = new Set(asArray(schema['required']));
  return properties.map(([name, property]) => {
    const base = getBase(name, isObject(property) ? property : {}, required.has(name));
    return isObject(property) && name.length <= maxId
      ? readField(property, base)
      : { ...base, type: 'unknown' };
  });
}

function getBase(name: string, property: JsonObject, required: boolean): Base {
  const description = asString(property['description']);
  return {
    name: boundedId(name),
    title: asString(property['title']) || boundedTitle(name),
    required,
    ...(description && { description }),
  };
}

function readField(property: JsonObject, base: Base): FormField {
  const { type } = property;
  switch (type) {
    case 'string':
      return isChoice(property) ? selectField(property, base) : stringField(property, base);
    case 'number':
    case 'integer':
      return numberField(type, property, base);
    case 'boolean': {
      const initial = property['default'];
      return { ...base, type, ...(typeof initial === 'boolean' && { initial }) };
    }
    case 'array':
      return multiselectField(property, base);
    default:
      return { ...base, type: 'unknown' };
  }
}

/** A string field. Any format is accepted (EL-9), and the pattern isn't run here (EL-8). */
function stringField(property: JsonObject, base: Base): FormField {
  const format = asString(property['format']);
  const pattern = asString(property['pattern']);
  const initial = asString(property['default']);
  return {
    ...base,
    type: 'string',
    ...getCount(property, 'minLength'),
    ...getCount(property, 'maxLength'),
    ...(format !== undefined && { format }),
    ...(pattern !== undefined && { pattern }),
    ...(initial !== undefined && { initial }),
  };
}

function numberField(type: 'number' | 'integer', property: JsonObject, base: Base): FormField {
  const initial = property['default'];
  const fits = type === 'integer' ? Number.isSafeInteger(initial) : Number.isFinite(initial);
  return {
    ...base,
    type,
    ...getBounds(property, 'minimum'),
    ...getBounds(property, 'maximum'),
    ...(fits && { initial: initial as number }),
  };
}

function selectField(property: JsonObject, base: Base): FormField {
  const choices = readChoices(property);
  if (!areUsable(choices)) {
    return { ...base, type: 'unknown' };
  }
  const initial = choices.find(({ value }) => value === property['default'])?.value;
  return { ...base, type: 'select', choices, ...(initial !== undefined && { initial }) };
}

function multiselectField(property: JsonObject, base: Base): FormField {
  const { items } = property;
  const isString = isObject(items) && (items['type'] === undefined || items['type'] === 'string');
  const choices = isString ? readChoices(items) : [];
  if (!areUsable(choices)) {
    return { ...base, type: 'unknown' };
  }
  const wanted = new Set(asArray(property['default']));
  const initial = choices.map(({ value }) => value).filter((value) => wanted.has(value));
  return {
    ...base,
    type: 'multiselect',
    choices,
    ...getCount(property, 'minItems'),
    ...getCount(property, 'maxItems'),
    ...(Array.isArray(property['default']) && { initial }),
  };
}

function isChoice(property: JsonObject): boolean {
  return choiceKeys.some((key) => property[key] !== undefined && property[key] !== null);
}

const choiceKeys = ['oneOf', 'anyOf', 'enum'] as const;

/**
 * The choices of `oneOf` or `anyOf` with titles, or of `enum` with titles in `enumNames`; without
 * duplicate values.
 */
function readChoices(property: JsonObject): readonly SelectChoice[] {
  const titled = asArray(property['oneOf'] ?? property['anyOf']).map((item) =>
    isObject(item) ? findChoice(item['const'], item['title']) : undefined,
  );
  const names = asArray(property['enumNames']);
  const plain = asArray(property['enum']).map((value, index) => findChoice(value, names[index]));
  const choices = (titled.length > 0 ? titled : plain).filter((choice) => choice !== undefined);
  return [...new Map(choices.map((choice) => [choice.value, choice])).values()];
}

function areUsable(choices: readonly SelectChoice[]): boolean {
  return choices.length > 0 && choices.every(({ value }) => value.length <= maxId);
}

function findChoice(value: unknown, title: unknown): SelectChoice | undefined {
  return typeof value === 'string' ? { value, title: asString(title) || value } : undefined;
}

function getCount<K extends string>(property: JsonObject, key: K): { readonly [P in K]?: number } {
  const value = property[key];
  return isCount(value) && Number.isInteger(value)
    ? ({ [key]: value } as { readonly [P in K]: number })
    : {};
}

function getBounds<K extends string>(property: JsonObject, key: K): { readonly [P in K]?: number } {
  const value = property[key];
  return typeof value === 'number' && Number.isFinite(value)
    ? ({ [key]: value } as { readonly [P in K]: number })
    : {};
}
