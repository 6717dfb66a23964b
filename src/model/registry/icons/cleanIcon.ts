/** Bytes of an icon; those of the registry have a few thousand. */
export const mostIconBytes = 32 * 1024;
export const mostElements = 300;
export const mostDepth = 16;
/** Beyond this, no coordinate of an icon makes sense. */
const largestNumber = 100_000;
const longestTransform = 200;

/** An icon that isn't drawn; the message is for the log. */
export class IconFault extends Error {}

/**
 * Reads an icon, and writes anew what it draws: shapes, all in `currentColor`. Whatever could run, load, refer to
 * something or change the page isn't skipped: an icon with any of that, or with anything unknown, is refused as a whole.
 */
export function cleanIcon(bytes: Uint8Array): string {
  if (bytes.byteLength > mostIconBytes) {
    throw new IconFault(`it has more than ${mostIconBytes} bytes`);
  }
  const icon = new IconReader(decode(bytes)).read();
  if (icon.length > mostIconBytes) {
    throw new IconFault(`it takes more than ${mostIconBytes} bytes to draw`);
  }
  return icon;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new IconFault('it is no UTF-8');
  }
}

type Attributes = ReadonlyMap<string, string>;

/** Gives what is written of a value; `undefined`: nothing. */
type Rule = (value: string, name: string) => string | undefined;

const dropped: Rule = () => undefined;
const number: Rule = (value, name) => `${numberOf(value.replace(/px$/, ''), name)}`;
const share: Rule = (value, name) => `${Math.min(1, Math.max(0, numberOf(value, name)))}`;

/** An icon has one color, so what its own are doesn't matter. */
const paint: Rule = (value, name) => {
  if (!/^(?:#[\da-f]{3,8}|[a-z]{3,30}|rgba?\([\d.,%\s]{1,40}\))$/i.test(value)) {
    throw new IconFault(`"${name}" isn’t a color`);
  }
  const isClear = value === 'none' || value === 'transparent';
  return value === 'inherit' ? undefined : isClear ? 'none' : 'currentColor';
};

/** What a clip leaves out is mostly outside of the icon; without it, nothing is drawn but shapes all the same. */
const clip: Rule = (value, name) => {
  if (!/^(?:none|url\(#[\w-]{1,60}\))$/.test(value)) {
    throw new IconFault(`"${name}" refers to something else than a part of the icon`);
  }
  return undefined;
};

function oneOf(...words: readonly string[]): Rule {
  return (value, name) => {
    if (!words.includes(value)) {
      throw new IconFault(`"${name}" has an unknown value`);
    }
    return value;
  };
}

const numberPattern = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

/** Numbers, and the letters that may be between them. */
function numbersWith(letters: RegExp): Rule {
  return (value, name) => {
    if (!letters.test(value)) {
      throw new IconFault(`"${name}" has other characters than it may have`);
    }
    for (const [text] of value.matchAll(numberPattern)) {
      numberOf(text, name);
    }
    return value.replace(/\s+/g, ' ');
  };
}

const transform: Rule = (value, name) => {
  const isTransform =
    /^(?:\s*(?:matrix|translate|scale|rotate|skewX|skewY)\s?\([-+.,\d\se]*\),?)*\s*$/;
  if (value.length > longestTransform || !isTransform.test(value)) {
    throw new IconFault(`"${name}" isn't a transform`);
  }
  return numbersWith(/^[-+.,\d\sa-zA-Z()]*$/)(value, name);
};

const style: Readonly<Record<string, Rule>> = {
  fill: paint,
  stroke: paint,
  color: dropped,
  opacity: share,
  'fill-opacity': share,
  'stroke-opacity': share,
  'fill-rule': oneOf('nonzero', 'evenodd'),
  'clip-rule': oneOf('nonzero', 'evenodd'),
  'stroke-width': number,
  'stroke-miterlimit': number,
  'stroke-linecap': oneOf('butt', 'round', 'square'),
  'stroke-linejoin': oneOf('miter', 'round', 'bevel'),
  'clip-path': clip,
  transform,
};

/** What says nothing of the shapes: names, and hints for others. */
const isIdle =
  /^(?:xmlns(?::[a-z]+)?|xml:space|id|class|role|focusable|version|(?:aria|data)-[a-z-]+)$/;

const points = numbersWith(/^[-+.,\d\se]*$/i);

function rulesOf(...numbers: readonly string[]): Readonly<Record<string, Rule>> {
  return { ...style, ...Object.fromEntries(numbers.map((name) => [name, number])) };
}

const shapes: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  path: { ...style, d: numbersWith(/^\s*m[-+.,\d\smzlhvcsqtae]*$/i) },
  circle: rulesOf('cx', 'cy', 'r'),
  ellipse: rulesOf('cx', 'cy', 'rx', 'ry'),
  rect: rulesOf('x', 'y', 'width', 'height', 'rx', 'ry'),
  line: rulesOf('x1', 'y1', 'x2', 'y2'),
  polyline: { ...style, points },
  polygon: { ...style, points },
};

const elements: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  ...shapes,
  g: style,
  defs: {},
  clipPath: { ...style, clipPathUnits: dropped },
  title: {},
  desc: {},
};

/** Elements that are read, and not written. */
const unwritten: readonly string[] = ['defs', 'clipPath', 'title', 'desc'];

const root: Readonly<Record<string, Rule>> = {
  ...style,
  // Where icon sets put the icon's place in a line of text.
  style: dropped,
  viewBox: dropped,
  width: dropped,
  height: dropped,
  x: dropped,
  y: dropped,
  preserveAspectRatio: dropped,
};

class IconReader {
  readonly #text: string;
  #at = 0;
  #elements = 0;
  #shapes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): string {
    this.#take(
      /<\?xml\s+version="1\.[01]"(?:\s+encoding="utf-8")?(?:\s+standalone="\w+")?\s*\?>/iy,
    );
    this.#skipBlank();
    const start = this.#startTag();
    if (start?.name !== 'svg') {
      throw new IconFault('it doesn’t begin with an svg element');
    }
    const { fill = 'currentColor', ...others } = this.#written(start.attributes, root);
    const children = start.isEmpty ? '' : this.#children('svg', 1);
    this.#skipBlank();
    if (this.#at < this.#text.length) {
      throw new IconFault('it goes on after its end');
    }
    if (this.#shapes === 0) {
      throw new IconFault('it draws nothing');
    }
    const looks = attributesOf({ viewBox: viewBoxOf(start.attributes), fill, ...others });
    return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"${looks}>${children}</svg>`;
  }

  /** Everything up to the end tag of the element. */
  #children(parent: string, depth: number): string {
    if (depth > mostDepth) {
      throw new IconFault(`it nests deeper than ${mostDepth} elements`);
    }
    let written = '';
    for (;;) {
      this.#skipBlank();
      const end = this.#take(/<\/([a-zA-Z]+)\s*>/y);
      if (end !== undefined) {
        if (end[1] !== parent) {
          throw new IconFault('an element doesn’t end where it should');
        }
        return written;
      }
      written += this.#element(depth);
    }
  }

  #element(depth: number): string {
    const tag = this.#startTag();
    const rules = tag && Object.hasOwn(elements, tag.name) ? elements[tag.name] : undefined;
    if (tag === undefined || rules === undefined) {
      throw new IconFault(`it has something else than shapes at ${this.#at}`);
    }
    const { name, isEmpty } = tag;
    const looks = attributesOf(this.#written(tag.attributes, rules));
    const before = this.#shapes;
    if ((name === 'title' || name === 'desc') && !isEmpty) {
      // Its text, and nothing that would have to be understood.
      this.#take(/[^<&]*/y);
    }
    const children = isEmpty ? '' : this.#children(name, depth + 1);
    if (unwritten.includes(name)) {
      this.#shapes = before;
      return '';
    }
    if (name === 'g') {
      return children === '' ? '' : `<g${looks}>${children}</g>`;
    }
    if (children !== '') {
      throw new IconFault('a shape has another one in it');
    }
    this.#shapes++;
    return `<${name}${looks}/>`;
  }

  #startTag():
    | { readonly name: string; readonly attributes: Attributes; readonly isEmpty: boolean }
    | undefined {
    const name = this.#take(/<([a-zA-Z]+)(?=[\s/>])/y)?.[1];
    if (name === undefined) {
      return undefined;
    }
    if (++this.#elements > mostElements) {
      throw new IconFault(`it has more than ${mostElements} elements`);
    }
    const attributes = new Map<string, string>();
    for (;;) {
      const end = this.#take(/\s*(\/?)>/y);
      if (end !== undefined) {
        return { name, attributes, isEmpty: end[1] === '/' };
      }
      const [, key = '', , value] =
        this.#take(/\s+([a-zA-Z][\w:.-]*)\s*=\s*(["'])((?:(?!\2)[^<&])*)\2/y) ?? [];
      if (value === undefined || attributes.has(key)) {
        throw new IconFault(`an attribute can’t be read at ${this.#at}`);
      }
      attributes.set(key, value);
    }
  }

  #written(
    attributes: Attributes,
    rules: Readonly<Record<string, Rule>>,
  ): Readonly<Record<string, string>> {
    const written: Record<string, string> = {};
    for (const [name, value] of attributes) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
      if (rule === undefined && !isIdle.test(name)) {
        throw new IconFault(`it has the attribute "${name.slice(0, 40)}"`);
      }
      const kept = rule?.(value.trim(), name);
      if (kept !== undefined) {
        written[name] = kept;
      }
    }
    return written;
  }

  /** Comments are never kept. */
  #skipBlank(): void {
    this.#take(/\s*/y);
    while (this.#text.startsWith('<!--', this.#at)) {
      const end = this.#text.indexOf('-->', this.#at + 4);
      if (end < 0) {
        throw new IconFault('a comment doesn’t end');
      }
      this.#at = end + 3;
      this.#take(/\s*/y);
    }
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

function viewBoxOf(attributes: Attributes): string {
  const size = (name: string): string => attributes.get(name) ?? '';
  const text = attributes.get('viewBox') ?? `0 0 ${size('width')} ${size('height')}`;
  const box = text
    .trim()
    .split(/[\s,]+/, 5)
    .map((part) => numberOf(part.replace(/px$/, ''), 'viewBox'));
  const [, , width = 0, height = 0] = box;
  if (box.length !== 4 || width <= 0 || height <= 0) {
    throw new IconFault('it has no size');
  }
  return box.join(' ');
}

function numberOf(text: string, name: string): number {
  const isNumber = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?$/i.test(text);
  const value = isNumber ? Number(text) : Number.NaN;
  if (!(Math.abs(value) <= largestNumber)) {
    throw new IconFault(`"${name}" has something else than numbers of an icon`);
  }
  return value;
}

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}
