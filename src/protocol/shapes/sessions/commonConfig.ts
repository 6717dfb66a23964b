import type {
  Choice,
  ChoiceGroup,
  ConfigOption,
  ListedOption,
  UnknownOption,
} from '../../../shared/transcript/config';
import { asArray, isObject, type JsonObject } from '../../../util/json';
import { boundedName, boundedTitle, maxId, maxItems, rawForm } from '../../bounds';
import { titleIn } from '../normaliseContent';

/** Maximum options or modes, each of which needs room in a menu. */
export const maxOptions = 200;
/** Maximum options of unknown types, which are only to be read. */
const maxUnknown = 20;

/** How the protocol calls the ids: in version 1, and in version 2. */
export interface ConfigNames {
  readonly option: 'id' | 'configId';
  readonly group: 'group' | 'groupId';
}

/**
 * A complete list of config options (CF-3, CF-9), in the agent's order, without malformed options
 * and repeated ids; at its end those of unknown types (CF-6). `undefined` if the value isn't a list.
 */
export function readConfigOptions(
  value: unknown,
  names: ConfigNames,
): readonly ListedOption[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const options = new Map<string, ConfigOption>();
  const unknown: UnknownOption[] = [];
  for (const item of value.slice(0, maxOptions)) {
    if (!isObject(item)) {
      continue;
    }
    if (isUnknownType(item['type'])) {
      if (unknown.length < maxUnknown) {
        unknown.push(readUnknown(item, item['type'], names));
      }
      continue;
    }
    const option = readConfigOption(item, names);
    if (option && !options.has(option.id)) {
      options.set(option.id, option);
    }
  }
  return [...options.values(), ...unknown];
}

/** One that begins with `_` is for clients that know it, as with updates. */
function isUnknownType(type: unknown): type is string {
  return typeof type === 'string' && !/^(select$|boolean$|_)/.test(type);
}

function readUnknown(value: JsonObject, type: string, names: ConfigNames): UnknownOption {
  const kind = boundedName(type);
  const name = titleIn(value, 'name') || titleIn(value, names.option) || kind;
  return { type: 'unknown', kind, name, raw: rawForm(value) };
}

function readConfigOption(value: JsonObject, names: ConfigNames): ConfigOption | undefined {
  const id = idIn(value, names.option);
  const { type, currentValue } = value;
  if (!id) {
    return undefined;
  }
  const base = { id, ...getLabels(value, id), ...getCategory(value) };
  if (type === 'boolean' && typeof currentValue === 'boolean') {
    return { ...base, type, value: currentValue };
  }
  const chosen = idIn(value, 'currentValue');
  if (type === 'select' && chosen !== undefined && Array.isArray(value['options'])) {
    return { ...base, type, value: chosen, groups: readGroups(value['options'], names) };
  }
  return undefined;
}

/** The category, which may be any string (CF-4). */
function getCategory(value: JsonObject): { readonly category?: string } {
  const category = titleIn(value, 'category');
  return category ? { category } : {};
}

/** Flat or grouped choices, without empty groups; no more than a menu has room for. */
function readGroups(items: readonly unknown[], names: ConfigNames): readonly ChoiceGroup[] {
  const groups: { readonly name?: string; readonly choices: Choice[] }[] = [];
  let flat: Choice[] | undefined;
  let left = maxItems;
  for (const item of items.slice(0, maxItems)) {
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
      left--;
    } else {
      flat = undefined;
      const name = titleIn(item, 'name') || titleIn(item, names.group);
      const choices = asArray(item['options'])
        .slice(0, Math.max(0, left))
        .map((inner) => (isObject(inner) ? readChoice(inner) : undefined))
        .filter((inner) => inner !== undefined);
      groups.push({ ...(name && { name }), choices });
      left -= choices.length;
    }
  }
  return groups.filter((group) => group.choices.length > 0);
}

function readChoice(value: JsonObject): Choice | undefined {
  const id = idIn(value, 'value');
  return id === undefined ? undefined : { value: id, ...getLabels(value, id) };
}

/** An id, which is sent back unchanged; `undefined` if it is too long. */
export function idIn(value: JsonObject, key: string): string | undefined {
  const id = value[key];
  return typeof id === 'string' && id.length <= maxId ? id : undefined;
}

/** A name, for which the id stands in, and what describes it. */
export function getLabels(
  value: JsonObject,
  id: string,
): { readonly name: string; readonly description?: string } {
  const description = titleIn(value, 'description');
  return { name: titleIn(value, 'name') || boundedTitle(id), ...(description && { description }) };
}
