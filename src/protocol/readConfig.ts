import type { Choice, ChoiceGroup, ConfigOption, SessionModes } from '../shared/config';
import { asArray, asString, isObject, type JsonObject } from '../util/json';

/**
 * A complete list of config options (CF-3, CF-9), in the agent's order. Left out: options of an unknown
 * type (CF-6), broken ones, and a second one of the same id. Undefined when it isn't a list.
 */
export function readConfigOptions(value: unknown): readonly ConfigOption[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const options = new Map<string, ConfigOption>();
  for (const item of value) {
    const option = isObject(item) ? readConfigOption(item) : undefined;
    if (option && !options.has(option.id)) {
      options.set(option.id, option);
    }
  }
  return [...options.values()];
}

function readConfigOption(value: JsonObject): ConfigOption | undefined {
  const id = asString(value['id']);
  const { type, currentValue } = value;
  if (!id) {
    return undefined;
  }
  const base = { id, ...labelsOf(value, id), ...categoryOf(value) };
  if (type === 'boolean' && typeof currentValue === 'boolean') {
    return { ...base, type, value: currentValue };
  }
  if (type === 'select' && typeof currentValue === 'string' && Array.isArray(value['options'])) {
    return { ...base, type, value: currentValue, groups: readGroups(value['options']) };
  }
  return undefined;
}

/** CF-4: any word is kept. */
function categoryOf(value: JsonObject): { readonly category?: string } {
  const category = asString(value['category']);
  return category ? { category } : {};
}

/** Flat choices, or groups of them; groups without a choice say nothing. */
function readGroups(items: readonly unknown[]): readonly ChoiceGroup[] {
  const groups: { readonly name?: string; readonly choices: Choice[] }[] = [];
  let flat: Choice[] | undefined;
  for (const item of items) {
    if (!isObject(item)) {
      continue;
    }
    const choice = readChoice(item);
    if (choice) {
      if (!flat) {
        flat = [];
        groups.push({ choices: flat });
      }
      flat.push(choice);
    } else {
      flat = undefined;
      const name = asString(item['name']) || asString(item['group']);
      const choices = asArray(item['options'])
        .map((inner) => (isObject(inner) ? readChoice(inner) : undefined))
        .filter((inner) => inner !== undefined);
      groups.push({ ...(name && { name }), choices });
    }
  }
  return groups.filter((group) => group.choices.length > 0);
}

function readChoice(value: JsonObject): Choice | undefined {
  const id = asString(value['value']);
  return id === undefined ? undefined : { value: id, ...labelsOf(value, id) };
}

/** MO-2. Undefined without a current mode; modes without an id are left out. */
export function readModes(value: unknown): SessionModes | undefined {
  const currentModeId = isObject(value) ? asString(value['currentModeId']) : undefined;
  if (!isObject(value) || currentModeId === undefined) {
    return undefined;
  }
  const modes = asArray(value['availableModes'])
    .map(readMode)
    .filter((mode) => mode !== undefined);
  return { currentModeId, modes };
}

function readMode(value: unknown): SessionModes['modes'][number] | undefined {
  const id = isObject(value) ? asString(value['id']) : undefined;
  return !isObject(value) || id === undefined ? undefined : { id, ...labelsOf(value, id) };
}

function labelsOf(
  value: JsonObject,
  id: string,
): { readonly name: string; readonly description?: string } {
  const description = asString(value['description']);
  return { name: asString(value['name']) || id, ...(description && { description }) };
}
