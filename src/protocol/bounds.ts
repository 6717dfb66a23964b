import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { language } from '../shared/language';
import { maxPathLength } from '../shared/lengths';
import type { JsonObject } from '../util/json';
import { getBeginning, ownPart } from '../util/textParts';

/**
 * Limits on what is kept of an agent's data. Anything beyond them is cut on arrival and replaced by
 * a note.
 */

/**
 * UTF-16 units of a text: as much of a log as a user would scroll through; a transcript has room
 * for many.
 */
export const maxText = 4 * 1024 * 1024;
/** UTF-16 units of a text that is shown on a line or in a tooltip. */
export const maxTitle = 4_096;
/** UTF-16 units of an id, which is kept as a key and becomes part of URIs. */
export const maxId = 8_192;
/** Items of a list that is drawn as a whole, or searched with each change. */
export const maxItems = 2_000;
/** Nesting depth of JSON, far below what overflows the stack when it is serialized, copied or compared. */
const maxDepth = 64;
/** Number of values in a piece of JSON. */
const maxValues = 100_000;

/** UTF-16 units of the notes in a piece of JSON: a text that is cut, and each level that ends with one. */
const maxNotes = (maxDepth + 2) * 100;

/** Number of values in a session's `_meta`; a tooltip shows a few of them. */
const maxFacts = 100;
/** UTF-16 units of such a value. */
const maxLabel = 500;

const numbers = new Intl.NumberFormat(language);

/** A text as it is kept; if it was cut, a note follows. */
export function boundedText(text: string, most = maxText): string {
  if (text.length <= most) {
    return text;
  }
  const kept = getBeginning(text, most);
  const left = numbers.format(text.length - kept.length);
  return `${kept}\n${l10n.t('… {0} more characters left out', left)}`;
}

/** Maximum length of base64: whole groups of four characters, for as many bytes as a text has units. */
export const maxBase64 = 4 * Math.floor(maxText / 3);

/** Bytes of a text in base64 as they are kept; if they were cut, the bytes of a note follow. */
export function boundedBase64(data: string): string {
  if (data.length <= maxBase64) {
    return data;
  }
  const bytes = Math.floor(((data.length - maxBase64) / 4) * 3);
  const rest = l10n.t('… {0} more bytes left out', numbers.format(bytes));
  const kept = ownPart(data.slice(0, maxBase64), data);
  return `${kept}${Buffer.from(`\n${rest}\n`).toString('base64')}`;
}

/** A single-line text, cut without a note if it is too long. */
export function boundedTitle(text: string): string {
  return cutLine(text, maxTitle);
}

/** UTF-16 units of an agent's name for something unknown. */
const maxName = 80;

/** An agent's name for something unknown. */
export function boundedName(name: string): string {
  return getBeginning(name, maxName);
}

function cutLine(text: string, most: number): string {
  return text.length <= most ? text : `${getBeginning(text, most - 1)}…`;
}

/** A note about the items missing at the end of a list. */
export function moreItems(count: number): string {
  return l10n.t('… {0} more items left out', numbers.format(count));
}

/** An id that is only compared: one that is too long is replaced by its hash. */
export function boundedId(id: string): string {
  return id.length <= maxId ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

/** Whether an id that was kept is as the agent sent it, so that it can be sent back. */
export function isWholeId(id: string): boolean {
  return id !== '' && !/^sha256:[\da-f]{64}$/.test(id);
}

/** Whether a session may have this id, which is stored, sent back and put into URIs unchanged. */
export function isSessionId(id: string): boolean {
  return id !== '' && id.length <= maxId && !id.includes('\0') && !loneSurrogate.test(id);
}

const loneSurrogate = /\p{Surrogate}/u;

export function isPathLength(path: string): boolean {
  return path.length <= maxPathLength;
}

interface Budget {
  values: number;
  units: number;
}

/**
 * JSON as it is kept: the value itself, or a copy in which notes replace anything too deep, too
 * long or too numerous.
 */
export function boundedJson(value: unknown): unknown {
  return fits(value, maxDepth, { values: maxValues, units: maxText })
    ? value
    : cut(value, maxDepth, { values: maxValues, units: maxText - maxNotes });
}

/** UTF-16 units of the JSON that is shown of something unknown. */
const maxRaw = 20_000;

/** Something unknown as JSON, for a user to read; a text stays as it is. */
export function rawForm(value: unknown): string {
  const text =
    typeof value === 'string' ? value : JSON.stringify(boundedJson(value ?? null), undefined, 2);
  return boundedText(text, maxRaw);
}

/** A session's `_meta`, kept with its row: the object itself, or only the scalars of a large one. */
export function boundedMeta(meta: JsonObject): JsonObject {
  if (fits(meta, maxDepth, { values: maxFacts, units: maxTitle })) {
    return meta;
  }
  const facts: [string, unknown][] = [];
  for (const name in meta) {
    const value = meta[name];
    if (facts.length === maxFacts) {
      break;
    }
    if (typeof value === 'string') {
      facts.push([cutLine(name, maxLabel), cutLine(value, maxLabel)]);
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      facts.push([cutLine(name, maxLabel), value]);
    }
  }
  return Object.fromEntries(facts);
}

/** Whether a value is within the limits. Runs for every call, so it is fast for small values. */
function fits(value: unknown, depth: number, budget: Budget): boolean {
  budget.values--;
  if (typeof value === 'string') {
    budget.units -= value.length;
  } else if (Array.isArray(value)) {
    return depth > 0 && value.length <= budget.values && fitAll(value, depth - 1, budget);
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    return depth > 0 && keys.length <= budget.values && fitKeys(value, keys, depth - 1, budget);
  }
  return budget.units >= 0;
}

function fitAll(items: readonly unknown[], depth: number, budget: Budget): boolean {
  for (let index = 0; index < items.length; index++) {
    if (!fits(items[index], depth, budget)) {
      return false;
    }
  }
  return budget.values >= 0 && budget.units >= 0;
}

function fitKeys(object: object, keys: readonly string[], depth: number, budget: Budget): boolean {
  for (const key of keys) {
    budget.units -= key.length;
    if (!fits((object as JsonObject)[key], depth, budget)) {
      return false;
    }
  }
  return budget.values >= 0 && budget.units >= 0;
}

function cut(value: unknown, depth: number, budget: Budget): unknown {
  budget.values--;
  if (typeof value === 'string') {
    const text = boundedText(value, Math.max(0, budget.units));
    budget.units = Math.max(0, budget.units - value.length);
    return text;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth === 0) {
    const note = l10n.t('… nested too deeply, left out');
    budget.units -= note.length;
    return note;
  }
  return Array.isArray(value)
    ? cutArray(value, depth, budget)
    : cutObject(value as JsonObject, depth, budget);
}

function cutArray(items: readonly unknown[], depth: number, budget: Budget): readonly unknown[] {
  const kept: unknown[] = [];
  for (const item of items) {
    if (budget.values <= 0 || budget.units <= 0) {
      kept.push(moreItems(items.length - kept.length));
      break;
    }
    kept.push(cut(item, depth - 1, budget));
  }
  return kept;
}

function cutObject(object: JsonObject, depth: number, budget: Budget): unknown {
  const kept: [string, unknown][] = [];
  for (const key in object) {
    budget.units -= key.length;
    if (budget.values <= 0 || budget.units <= 0) {
      kept.push(['…', l10n.t('More left out')]);
      break;
    }
    kept.push([key, cut(object[key], depth - 1, budget)]);
  }
  return Object.fromEntries(kept);
}
