import * as l10n from '@vscode/l10n';
import { maxPathLength } from '../../../shared/lengths';
import type { DrawnBlock } from '../../../shared/transcript/drawn';
import { isObject, type JsonObject } from '../../../util/json';
import { bounded, cut, cutStart } from './drawTexts';

/** The maximum size of a value for the webview. */
export interface Room {
  /** The size as JSON, without images. */
  readonly bytes: number;
  /** The size of all images together, in base64 characters. */
  readonly images: number;
}

interface Fitted<T> {
  readonly value: T;
  /** Whether something was left out. */
  readonly isShortened: boolean;
  readonly bytes: number;
}

/** Maximum depth: nothing that is drawn is nested more deeply. */
const deepest = 30;
/** Objects with more properties are collections from the agent. */
const maxParts = 40;

interface Caps {
  readonly text: number;
  readonly items: number;
}

/** The caps for values in which only the images are too large. */
const imagesOnly: Caps = { text: Infinity, items: Infinity };
/** Tried in order until the value fits. */
const caps: readonly Caps[] = [
  { text: 50_000, items: 1000 },
  { text: 20_000, items: 500 },
  { text: 5_000, items: 200 },
  { text: 2_000, items: 100 },
  { text: 1_000, items: 50 },
  { text: 1_000, items: 20 },
  { text: 1_000, items: 10 },
  { text: 1_000, items: 3 },
];

/**
 * A value for the webview, with its texts, lists and images cut until it fits; unchanged if it already does.
 * `undefined` if nothing helps. The cost is linear in the value.
 */
export function fit<T>(value: T, room: Room): Fitted<T> | undefined {
  const whole = bytesWithin(value, room);
  if (whole !== undefined) {
    return { value, isShortened: false, bytes: whole };
  }
  const isSmall = bytesWithin(value, { bytes: room.bytes, images: Infinity }) !== undefined;
  for (const cap of isSmall ? [imagesOnly, ...caps] : caps) {
    const shortened = new Shortening(cap, room.images).of(value, 0) as T;
    const bytes = bytesWithin(shortened, room);
    if (bytes !== undefined) {
      return { value: shortened, isShortened: true, bytes };
    }
  }
  return undefined;
}

/** The size of a value when it is sent, in bytes, including images; `undefined` if it doesn't fit. */
function bytesWithin(value: unknown, room: Room): number | undefined {
  let bytes = 0;
  let images = 0;
  const open: { readonly part: unknown; readonly depth: number }[] = [{ part: value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, depth } = next;
    bytes += getBytes(part, room.bytes);
    if (bytes > room.bytes || images > room.images || depth > deepest) {
      return undefined;
    }
    if (Array.isArray(part)) {
      for (const item of part) {
        open.push({ part: item, depth: depth + 1 });
      }
    } else if (isObject(part)) {
      const image = findImage(part);
      images += image?.length ?? 0;
      for (const [name, inner] of Object.entries(part)) {
        bytes += name.length + 4;
        if (inner !== image) {
          open.push({ part: inner, depth: depth + 1 });
        }
      }
    }
  }
  return bytes > room.bytes || images > room.images ? undefined : bytes + images;
}

/** The size of a primitive value or an empty list; for a text longer than `most`, just some number above `most`. */
function getBytes(value: unknown, most: number): number {
  if (typeof value === 'string') {
    return value.length > most ? value.length : Buffer.byteLength(JSON.stringify(value)) + 1;
  }
  return Array.isArray(value) ? value.length + 2 : 24;
}

function findImage({ type, data }: JsonObject): string | undefined {
  return type === 'image' && typeof data === 'string' ? data : undefined;
}

/**
 * Properties that the webview sends back to say what the user chose, or that become part of an answer.
 * Cut, they would say something else, so they are always whole: rather has a list fewer items.
 */
const identifying = new Set([
  ...['optionId', 'terminalId', 'elicitationId', 'currentModeId', 'id'],
  ...['value', 'initial'],
]);

/** Members that say where something is: whole, or empty if it is longer than anything that is opened. */
const addresses = new Set(['uri', 'url', 'path', 'oldPath']);

/** An attempt to make a value smaller. */
class Shortening {
  readonly #caps: Caps;
  #images: number;

  constructor(most: Caps, images: number) {
    this.#caps = most;
    this.#images = images;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') {
      return bounded(value, this.#caps.text);
    }
    if (depth > deepest) {
      return null;
    }
    if (Array.isArray(value)) {
      return value.slice(0, this.#caps.items).map((item) => this.of(item, depth + 1));
    }
    return isObject(value) ? this.#object(value, depth) : value;
  }

  #object(object: JsonObject, depth: number): unknown {
    const image = findImage(object);
    if (image !== undefined) {
      return this.#image(object, image);
    }
    const { items, text } = this.#caps;
    const parts = Object.entries(object)
      .slice(0, Math.max(items, maxParts))
      .map(([name, part]): [string, unknown] => [name, this.#part(name, part, object, depth)]);
    const shortened = Object.fromEntries(parts);
    if (typeof object['text'] === 'string' && typeof object['omitted'] === 'number') {
      const { omitted, ...kept } = cut(object['text'], text);
      return { ...shortened, ...kept, omitted: omitted + object['omitted'] };
    }
    return object['type'] === 'diff' ? { ...shortened, cut: true } : shortened;
  }

  #part(name: string, part: unknown, { type }: JsonObject, depth: number): unknown {
    if (typeof part === 'string' && identifying.has(name)) {
      return part;
    }
    if (typeof part === 'string' && addresses.has(name)) {
      return part.length <= maxPathLength ? part : '';
    }
    // The name of a form's field is part of the answer; longer ones are only displayed.
    if (typeof part === 'string' && name === 'name' && part.length <= maxPathLength) {
      return part;
    }
    return type === 'terminal' && name === 'output' ? this.#output(part) : this.of(part, depth + 1);
  }

  /** The end of an output is the part worth reading. */
  #output(output: unknown): unknown {
    if (!isObject(output) || typeof output['text'] !== 'string') {
      return undefined;
    }
    const { text, omitted } = cutStart(output['text'], this.#caps.text);
    return { text, omitted: omitted + Number(output['omitted'] ?? 0) };
  }

  #image(object: JsonObject, data: string): unknown {
    if (data.length > this.#images) {
      return leftOut(String(object['mimeType']).slice(0, 100));
    }
    this.#images -= data.length;
    return object;
  }
}

function leftOut(mimeType: string): DrawnBlock {
  const label = l10n.t('Image left out: this entry has more than can be shown');
  return { type: 'label', icon: 'image', label, detail: mimeType };
}
