import type { Block, FileLocation, ToolContent } from '../../shared/transcript/content';
import { asString, isObject, type JsonObject } from '../../util/json';
import {
  boundedId,
  boundedName,
  boundedText,
  boundedTitle,
  isPathLength,
  maxItems,
  moreItems,
  rawForm,
} from '../bounds';

/**
 * A content block (CO-1 to CO-8), or `undefined` for anything but an object. A block of an unknown
 * type, or without its type's required members, becomes `unknown`, so that the user sees that there
 * was something (CO-8).
 */
export function normaliseBlock(value: unknown): Block | undefined {
  if (typeof value === 'string') {
    return { type: 'text', text: boundedText(value) };
  }
  if (!isObject(value)) {
    return undefined;
  }
  return knownBlock(value) ?? unknownBlock(value);
}

function knownBlock(value: JsonObject): Block | undefined {
  switch (value['type']) {
    case 'text': {
      const text = textIn(value, 'text');
      return text === undefined ? undefined : { type: 'text', text };
    }
    case 'skill': {
      const name = titleIn(value, 'name');
      return name ? { type: 'text', text: `/${name}` } : undefined;
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

/** A saved block says what its form was; that of one that was too large isn't there any more. */
function unknownBlock(value: JsonObject): Block {
  const meta = isObject(value['_meta']) ? value['_meta'] : {};
  const saved = meta['acpSessions'];
  const raw = isObject(saved) ? saved['raw'] : value;
  return {
    type: 'unknown',
    label: getLabel(value),
    ...(raw !== undefined && { raw: rawForm(raw) }),
  };
}

function mediaBlock(type: 'image' | 'audio', value: JsonObject): Block | undefined {
  const mimeType = titleIn(value, 'mimeType');
  const data = asString(value['data']);
  if (mimeType === undefined || data === undefined) {
    return undefined;
  }
  const uri = pathIn(value, 'uri');
  return { type, mimeType, data, ...(uri !== undefined && { uri }) };
}

function resourceLink(value: JsonObject): Block | undefined {
  const uri = pathIn(value, 'uri');
  if (uri === undefined) {
    return undefined;
  }
  const title = titleIn(value, 'title');
  const description = titleIn(value, 'description');
  const mimeType = titleIn(value, 'mimeType');
  const { size } = value;
  return {
    type: 'resource_link',
    uri,
    name: titleIn(value, 'name') ?? title ?? uri,
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
  const uri = pathIn(value, 'uri');
  const text = textIn(value, 'text');
  const blob = asString(value['blob']);
  if (uri === undefined || (text === undefined && blob === undefined)) {
    return undefined;
  }
  const mimeType = titleIn(value, 'mimeType');
  const content = text === undefined ? { size: base64Size(blob ?? '') } : { text };
  return { type: 'resource', uri, ...(mimeType !== undefined && { mimeType }), ...content };
}

/**
 * Content of a tool call (TO-5). `undefined` means "unchanged" (T-21): the value isn't a list, or
 * none of its items can be read, which must not remove earlier content (SDK-7). Bare blocks, as in
 * the protocol's documentation, are accepted as content (T-25).
 */
export function normaliseToolContent(value: unknown): readonly ToolContent[] | undefined {
  // A link to a subagent's session isn't shown as content: see `subagentIdsIn`.
  const shown = Array.isArray(value) ? value.filter((item) => !isSessionLink(item)) : value;
  return usableItems(shown, toolContentItem, (count) => ({
    type: 'content',
    block: { type: 'text', text: moreItems(count) },
  }));
}

/** Whether an item of a call's content refers to a subagent's session. */
export function isSessionLink(value: unknown): boolean {
  return isObject(value) && value['type'] === 'session' && typeof value['sessionId'] === 'string';
}

/** An item of a tool call's content. */
export function toolContentItem(value: unknown): ToolContent | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  switch (value['type']) {
    case 'content': {
      const block = normaliseBlock(value['content']);
      return block && { type: 'content', block };
    }
    case 'diff': {
      const path = pathIn(value, 'path');
      const newText = textIn(value, 'newText');
      if (path !== undefined && newText !== undefined) {
        return { type: 'diff', path, oldText: textIn(value, 'oldText') ?? null, newText };
      }
      break;
    }
    case 'terminal': {
      const terminalId = asString(value['terminalId']);
      if (terminalId !== undefined) {
        return { type: 'terminal', terminalId: boundedId(terminalId) };
      }
      break;
    }
  }
  const block = normaliseBlock(value);
  return block && { type: 'content', block };
}

/** Locations of a tool call (TO-6); `readLine` decides about the lines. */
export function normaliseLocations(
  value: unknown,
  readLine: (line: unknown) => number | undefined = clampedLine,
): readonly FileLocation[] | undefined {
  return usableItems(value, (item) => {
    const path = isObject(item) ? pathIn(item, 'path') : undefined;
    if (!isObject(item) || path === undefined) {
      return undefined;
    }
    const line = readLine(item['line']);
    return line === undefined ? { path } : { path, line };
  });
}

/** Lines are 1-based (TR-12); lower numbers become 1. */
function clampedLine(line: unknown): number | undefined {
  return typeof line === 'number' && Number.isFinite(line)
    ? Math.max(1, Math.trunc(line))
    : undefined;
}

/**
 * The readable items of a list; `undefined` if there were items but none was readable. `rest` makes
 * the placeholder for items beyond the limit.
 */
export function usableItems<T>(
  value: unknown,
  read: (item: unknown) => T | undefined,
  rest?: (count: number) => T,
): readonly T[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const items: T[] = [];
  for (let index = 0; index < value.length; index++) {
    if (items.length === maxItems) {
      return rest === undefined ? items : [...items, rest(value.length - index)];
    }
    const usable = read(value[index]);
    if (usable !== undefined) {
      items.push(usable);
    }
  }
  // A list that has grown has room for 16 more; its copy has none.
  return items.length > 0 || value.length === 0 ? items.slice() : undefined;
}

/** Whether a value is a valid size or amount: finite and non-negative (US-3). */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

export function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/** A bounded text. */
export function textIn(value: JsonObject, key: string): string | undefined {
  const text = value[key];
  return typeof text === 'string' ? boundedText(text) : undefined;
}

/** A bounded single-line text. */
export function titleIn(value: JsonObject, key: string): string | undefined {
  const text = value[key];
  return typeof text === 'string' ? boundedTitle(text) : undefined;
}

/** A path or URI; `undefined` if it is too long, because a truncated one would name something else. */
export function pathIn(value: JsonObject, key: string): string | undefined {
  const path = value[key];
  return typeof path === 'string' && isPathLength(path) ? path : undefined;
}

/** What an agent calls something that this client doesn't know. */
export function getLabel(value: JsonObject): string {
  const type = asString(value['type']);
  return type === undefined ? 'untyped' : boundedName(type);
}

function base64Size(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}
