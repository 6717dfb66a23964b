import type { Block, FileLocation, ToolContent } from '../shared/content';
import { asString, isObject, type JsonObject } from '../util/json';

const maxLabel = 80;

/**
 * A content block (CO-1 to CO-8), or undefined for what isn't an object at all. A block that is of an
 * unknown type, or lacks what its type needs, becomes an `unknown` one: the reader sees that there
 * was something (CO-8).
 */
export function normaliseBlock(value: unknown): Block | undefined {
  if (typeof value === 'string') {
    return { type: 'text', text: value };
  }
  if (!isObject(value)) {
    return undefined;
  }
  return knownBlock(value) ?? { type: 'unknown', label: labelOf(value) };
}

function knownBlock(value: JsonObject): Block | undefined {
  switch (value['type']) {
    case 'text': {
      const text = asString(value['text']);
      return text === undefined ? undefined : { type: 'text', text };
    }
    case 'image':
    case 'audio':
      return mediaBlock(value['type'], value);
    case 'resource_link':
      return resourceLink(value);
    case 'resource':
      return resource(value['resource']);
    default:
      return undefined;
  }
}

function mediaBlock(type: 'image' | 'audio', value: JsonObject): Block | undefined {
  const mimeType = asString(value['mimeType']);
  const data = asString(value['data']);
  if (mimeType === undefined || data === undefined) {
    return undefined;
  }
  const uri = asString(value['uri']);
  return { type, mimeType, data, ...(uri !== undefined && { uri }) };
}

function resourceLink(value: JsonObject): Block | undefined {
  const uri = asString(value['uri']);
  if (uri === undefined) {
    return undefined;
  }
  const title = asString(value['title']);
  const description = asString(value['description']);
  const mimeType = asString(value['mimeType']);
  const { size } = value;
  return {
    type: 'resource_link',
    uri,
    name: asString(value['name']) ?? title ?? uri,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(isCount(size) && { size }),
  };
}

function resource(value: unknown): Block | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const uri = asString(value['uri']);
  const text = asString(value['text']);
  const blob = asString(value['blob']);
  if (uri === undefined || (text === undefined && blob === undefined)) {
    return undefined;
  }
  const mimeType = asString(value['mimeType']);
  const content = text === undefined ? { size: base64Size(blob ?? '') } : { text };
  return { type: 'resource', uri, ...(mimeType !== undefined && { mimeType }), ...content };
}

/**
 * Content of a tool call (TO-5). Undefined means "unchanged" (T-21): not a list, or a list in which
 * nothing can be read, which must not wipe what was there before (SDK-7). Bare blocks, as the
 * protocol's own documentation has them, count as content (T-25).
 */
export function normaliseToolContent(value: unknown): readonly ToolContent[] | undefined {
  return usableItems(value, toolContentItem);
}

function toolContentItem(value: unknown): ToolContent | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  switch (value['type']) {
    case 'content': {
      const block = normaliseBlock(value['content']);
      return block && { type: 'content', block };
    }
    case 'diff': {
      const path = asString(value['path']);
      const newText = asString(value['newText']);
      if (path !== undefined && newText !== undefined) {
        return { type: 'diff', path, oldText: asString(value['oldText']) ?? null, newText };
      }
      break;
    }
    case 'terminal': {
      const terminalId = asString(value['terminalId']);
      if (terminalId !== undefined) {
        return { type: 'terminal', terminalId };
      }
      break;
    }
  }
  const block = normaliseBlock(value);
  return block && { type: 'content', block };
}

/** TO-6. Lines are 1-based (TR-12): anything below becomes 1. */
export function normaliseLocations(value: unknown): readonly FileLocation[] | undefined {
  return usableItems(value, (item) => {
    const path = isObject(item) ? asString(item['path']) : undefined;
    if (!isObject(item) || path === undefined) {
      return undefined;
    }
    const { line } = item;
    const number = typeof line === 'number' && Number.isFinite(line) ? line : undefined;
    return number === undefined ? { path } : { path, line: Math.max(1, Math.trunc(number)) };
  });
}

/** Reads what can be read of a list; undefined when there was something, and all of it was broken. */
export function usableItems<T>(
  value: unknown,
  read: (item: unknown) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const items: T[] = [];
  for (const item of value) {
    const usable = read(item);
    if (usable !== undefined) {
      items.push(usable);
    }
  }
  return items.length > 0 || value.length === 0 ? items : undefined;
}

/** A size or an amount: finite, and not below zero (US-3). */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function labelOf(value: JsonObject): string {
  return asString(value['type'])?.slice(0, maxLabel) ?? 'untyped';
}

function base64Size(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}
