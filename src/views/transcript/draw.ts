import path from 'node:path';
import { isInside } from '../../model/roots';
import type { Block, FileLocation, ToolContent } from '../../shared/content';
import type {
  DrawnBlock,
  DrawnEntry,
  DrawnLocation,
  DrawnText,
  DrawnToolCall,
  DrawnToolContent,
} from '../../shared/drawn';
import type { CompactionEntry, Entry, ToolCallEntry } from '../../shared/entries';
import { drawDiff } from './drawDiff';

/** Characters of a text that a row shows; the whole opens in an editor. */
const maxText = 100_000;
const maxJson = 20_000;
/** Base64 characters of an image that is shown. */
const maxImage = 8_000_000;
/** SVG is left out: it is a document, not a picture. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** An entry as the webview draws it: bounded and ready. Paths read relative to the session's `cwd`. */
export function drawEntry(entry: Entry, cwd: string): DrawnEntry {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return {
        kind: entry.kind,
        blocks: entry.blocks.map((block) => drawBlock(block, cwd)),
        ...(entry.dropped && { dropped: true }),
      };
    case 'toolCall':
      return drawToolCall(entry, cwd);
    case 'plan':
      return { kind: 'plan', items: entry.items };
    case 'compaction':
      return drawCompaction(entry, cwd);
    case 'permission': {
      const { kind, requestId, options, state } = entry;
      return { kind, requestId, options, state, toolCall: drawToolCall(entry.toolCall, cwd) };
    }
    case 'elicitation':
    case 'turn':
      return entry;
  }
}

function drawToolCall(entry: ToolCallEntry, cwd: string): DrawnToolCall {
  return {
    kind: 'toolCall',
    title: entry.title,
    ...(entry.name !== undefined && { name: entry.name }),
    toolKind: entry.toolKind,
    status: entry.status,
    content: entry.content.map((content) => drawContent(content, entry, cwd)),
    locations: entry.locations.map((location) => drawLocation(location, cwd)),
    ...(entry.rawInput !== undefined && { rawInput: drawJson(entry.rawInput) }),
    ...(entry.rawOutput !== undefined && { rawOutput: drawJson(entry.rawOutput) }),
    ...(entry.dropped && { dropped: true }),
  };
}

function drawContent(content: ToolContent, entry: ToolCallEntry, cwd: string): DrawnToolContent {
  switch (content.type) {
    case 'content':
      return { type: 'block', block: drawBlock(content.block, cwd) };
    case 'diff':
      return drawDiff(content, shortPath(content.path, cwd));
    case 'terminal': {
      const output = entry.terminalOutput?.[content.terminalId];
      const state = entry.terminals?.[content.terminalId];
      return {
        type: 'terminal',
        terminalId: content.terminalId,
        ...(output !== undefined && { output: cut(output, maxText) }),
        ...(state !== undefined && { state }),
      };
    }
  }
}

function drawCompaction(entry: CompactionEntry, cwd: string): DrawnEntry {
  return {
    kind: 'compaction',
    status: entry.status,
    summary: entry.summary.map((block) => drawBlock(block, cwd)),
    ...(entry.error !== undefined && { error: entry.error }),
  };
}

function drawBlock(block: Block, cwd: string): DrawnBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', ...cut(block.text, maxText) };
    case 'image':
      return drawImage(block.mimeType, block.data);
    case 'audio':
      return drawLabel('audio', 'Audio', `${block.mimeType}, ${byteSize(block.data)}`);
    case 'resource_link': {
      const detail = [block.description, block.mimeType, sizeText(block.size)];
      return {
        type: 'link',
        uri: block.uri,
        label: block.title ?? block.name,
        ...optionalDetail(detail),
      };
    }
    case 'resource': {
      const label = uriLabel(block.uri, cwd);
      return block.text === undefined
        ? drawLabel('binary', label, block.mimeType, sizeText(block.size))
        : { type: 'resource', uri: block.uri, label, ...cut(block.text, maxText) };
    }
    case 'unknown':
      return drawLabel('unknown', `Content of a kind that can't be shown: ${block.label}`);
  }
}

function drawImage(mimeType: string, data: string): DrawnBlock {
  const type = mimeType.toLowerCase();
  if (!imageTypes.has(type)) {
    return drawLabel('image', 'Image of a type that is not shown', mimeType, byteSize(data));
  }
  if (data.length > maxImage) {
    return drawLabel('image', 'Image too large to show', mimeType, byteSize(data));
  }
  return { type: 'image', mimeType: type, data };
}

function drawLabel(
  icon: Extract<DrawnBlock, { type: 'label' }>['icon'],
  label: string,
  ...details: readonly (string | undefined)[]
): DrawnBlock {
  return { type: 'label', icon, label, ...optionalDetail(details) };
}

function optionalDetail(parts: readonly (string | undefined)[]): { detail?: string } {
  const detail = parts.filter((part) => part !== undefined && part !== '').join(', ');
  return detail === '' ? {} : { detail };
}

function drawLocation(location: FileLocation, cwd: string): DrawnLocation {
  const label = shortPath(location.path, cwd);
  return { ...location, label: location.line === undefined ? label : `${label}:${location.line}` };
}

const drawnJson = new WeakMap<object, DrawnText>();

/** A tool's raw input or output: a text as it is, everything else as formatted JSON. */
function drawJson(value: unknown): DrawnText {
  if (typeof value !== 'object' || value === null) {
    return cut(rawText(value), maxJson);
  }
  let drawn = drawnJson.get(value);
  if (drawn === undefined) {
    drawn = cut(rawText(value), maxJson);
    drawnJson.set(value, drawn);
  }
  return drawn;
}

/** The whole of a tool's raw input or output, for an editor. */
export function rawText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

function cut(text: string, length: number): DrawnText {
  if (text.length <= length) {
    return { text, omitted: 0 };
  }
  // Not between the two halves of a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return { text: text.slice(0, end), omitted: text.length - end };
}

/** Relative to `cwd` where it lies inside, else as it is. */
export function shortPath(file: string, cwd: string): string {
  if (!path.isAbsolute(file) || !isInside(file, [cwd])) {
    return file;
  }
  return path.relative(cwd, file) || file;
}

function uriLabel(uri: string, cwd: string): string {
  const file = /^file:\/\/(\/.*)$/i.exec(uri)?.[1];
  if (file === undefined) {
    return uri;
  }
  try {
    return shortPath(decodeURIComponent(file), cwd);
  } catch {
    return uri;
  }
}

function byteSize(base64: string): string {
  return sizeText(Math.floor((base64.length * 3) / 4)) ?? '';
}

function sizeText(bytes: number | undefined): string | undefined {
  if (bytes === undefined) {
    return undefined;
  }
  if (bytes < 1000) {
    return `${bytes} bytes`;
  }
  return bytes < 1_000_000
    ? `${Math.round(bytes / 1000)} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
