import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { language } from '../shared/language';
import type { JsonObject } from '../util/json';

/**
 * How much of a thing that an agent sends is kept. What is more is cut where it comes in, and a word in
 * its place says so.
 */

/** UTF-16 units of one text: a log that a person still scrolls through; many fit into a transcript. */
export const maxText = 4 * 1024 * 1024;
/** UTF-16 units of what is drawn on a line or in a tooltip: more of a title is never looked at. */
export const maxTitle = 4_096;
/** UTF-16 units of an id: they are kept as keys and become parts of addresses. */
export const maxId = 8_192;
/** The longest path that a system of ours takes (Windows). */
const maxPath = 32_767;
/** Items of a list that is drawn whole, or is looked through with each change. */
export const maxItems = 2_000;
/** Levels of JSON: far from where writing, copying or comparing it overflows a stack. */
const maxDepth = 64;
/** Values in one piece of JSON. */
const maxValues = 100_000;

/** Values in the `_meta` of a session, of which a tooltip shows a few. */
const maxFacts = 100;
/** UTF-16 units of one of them. */
const maxLabel = 500;

const numbers = new Intl.NumberFormat(language);

/** A text as it is kept, with a word about what was cut off. */
export function boundedText(text: string, most = maxText): string {
  if (text.length <= most) {
    return text;
  }
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  const rest = l10n.t('… {0} more characters left out', numbers.format(text.length - end));
  return `${text.slice(0, end)}\n${rest}`;
}

/** A text of one line; the end of a longer one is left out. */
export function boundedTitle(text: string): string {
  return text.length <= maxTitle ? text : `${text.slice(0, maxTitle - 1)}…`;
}

/** As `boundedTitle`, where only a word or two are shown. */
function boundedLabel(text: string): string {
  return text.length <= maxLabel ? text : `${text.slice(0, maxLabel - 1)}…`;
}

/** Says that items of a list are missing at its end. */
export function moreItems(count: number): string {
  return l10n.t('… {0} more items left out', numbers.format(count));
}

/** An id that is only compared: a longer one becomes another one, as unique as it was. */
export function boundedId(id: string): string {
  return id.length <= maxId ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

/** Whether a session can have this id: one that is stored, sent back and put into addresses as it is. */
export function isSessionId(id: string): boolean {
  return id !== '' && id.length <= maxId && !id.includes('\0') && !loneSurrogate.test(id);
}

const loneSurrogate = /\p{Surrogate}/u;

export function isPathLength(path: string): boolean {
  return path.length <= maxPath;
}

interface Budget {
  values: number;
  units: number;
}

/** JSON as it is kept: itself, or a copy in which words stand for what is too deep, too long or too much. */
export function boundedJson(value: unknown): unknown {
  return fits(value, maxDepth, newBudget()) ? value : cut(value, maxDepth, newBudget());
}

function newBudget(): Budget {
  return { values: maxValues, units: maxText };
}

/** The `_meta` of a session, which is kept with its row: itself, or only the plain facts of a large one. */
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
      facts.push([boundedLabel(name), boundedLabel(value)]);
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      facts.push([boundedLabel(name), value]);
    }
  }
  return Object.fromEntries(facts);
}

/** Goes no deeper than `depth`, and is quick for what is small: it runs for every call. */
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
    budget.units -= value.length;
    return text;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth === 0) {
    return l10n.t('… nested too deeply, left out');
  }
  return Array.isArray(value)
    ? cutArray(value, depth, budget)
    : cutObject(value as JsonObject, depth, budget);
}

function cutArray(items: readonly unknown[], depth: number, budget: Budget): readonly unknown[] {
  const kept: unknown[] = [];
  for (const item of items) {
    if (budget.values <= 0) {
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
    if (budget.values <= 0 || budget.units < 0) {
      kept.push(['…', l10n.t('More left out')]);
      break;
    }
    kept.push([key, cut(object[key], depth - 1, budget)]);
  }
  return Object.fromEntries(kept);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
