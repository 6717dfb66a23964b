import { isObject } from '../../util/json';
import type { MathNode } from './mathJob';

/** Elements of one formula, and how deeply they nest; the page draws them recursively. */
export const maxElements = 4000;
export const maxDepth = 100;

const tags = new Set(
  (
    'math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms ' +
    'mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover'
  ).split(' '),
);

const attributes = new Set(
  (
    'accent accentunder columnalign columnlines columnspacing columnspan depth dir display ' +
    'displaystyle fence form frame height largeop linethickness lspace mathvariant maxsize ' +
    'minsize movablelimits rowlines rowspacing rowspan rspace scriptlevel separator stretchy ' +
    'symmetric voffset width'
  ).split(' '),
);

const styles =
  /^(?:background|border|color|display|font|height|margin|math|padding|text|vertical|white|width)/;
/** No function, so no address either. */
const styleValue = /^[^()]{1,100}$/;

/**
 * Reads the library's tree: only elements, attributes and styles that are known to draw something
 * are kept. Throws if there are too many elements or they nest too deeply.
 */
export function toMathNodes(tree: unknown): readonly MathNode[] {
  let left = maxElements;
  const read = (value: unknown, depth: number): readonly MathNode[] => {
    if (!isObject(value)) {
      return [];
    }
    if (left-- === 0 || depth === maxDepth) {
      throw new Error('The formula is too large');
    }
    const { text, type, children } = value;
    if (typeof text === 'string') {
      return [text];
    }
    const inner = Array.isArray(children)
      ? children.flatMap((child) => read(child, depth + 1))
      : [];
    if (typeof type !== 'string' || !tags.has(type)) {
      return inner;
    }
    const node = {
      tag: type,
      attributes: pick(value['attributes'], (name) => attributes.has(name)),
      style: pick(value['style'], (name, text) => styles.test(name) && styleValue.test(text)),
      children: inner,
    };
    return [node];
  };
  return read(tree, 0);
}

function pick(
  values: unknown,
  isKept: (name: string, value: string) => boolean,
): Readonly<Record<string, string>> {
  const all = isObject(values) ? Object.entries(values) : [];
  const texts = all.map(([name, value]): [string, string] => [name, String(value)]);
  return Object.fromEntries(texts.filter(([name, value]) => isKept(name, value)));
}
