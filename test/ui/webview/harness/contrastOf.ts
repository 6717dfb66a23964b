/** A text's color and what is behind it, from the outermost layer inwards, as the browser computes them. */
export interface Reading {
  readonly color: string;
  readonly layers: readonly Layer[];
}

/** A box that is drawn, with all that is in it, on the layer before. */
interface Layer {
  readonly ground: string;
  readonly opacity: number;
}

/** Red, green, blue and alpha, each up to 1. */
type Color = readonly [number, number, number, number];

/** What is behind a page. */
const paper: Color = [1, 1, 1, 1];

/** The contrast of a text with its ground, as defined by WCAG 2.1. */
export function contrastOf({ color, layers }: Reading): number {
  const ground = luminance(draw(layers, paper));
  const text = luminance(draw(layers, paper, parse(color)));
  return (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05);
}

/** The color of a point within all layers, with the text in front of them or not. */
function draw([layer, ...inner]: readonly Layer[], behind: Color, text?: Color): Color {
  if (!layer) {
    return text ? over(text, behind) : behind;
  }
  const drawn = draw(inner, over(parse(layer.ground), behind), text);
  return over([drawn[0], drawn[1], drawn[2], layer.opacity], behind);
}

function over([red, green, blue, alpha]: Color, behind: Color): Color {
  const mix = (front: number, back: number): number => front * alpha + back * (1 - alpha);
  return [mix(red, behind[0]), mix(green, behind[1]), mix(blue, behind[2]), 1];
}

/** Reads a computed color: `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)` or `color(srgb 0.1 0.2 0.3 / 0.5)`. */
function parse(color: string): Color {
  const numbers = (color.match(/-?[\d.]+(?:e-\d+)?/g) ?? []).map(Number);
  const [red, green, blue, alpha = 1] = numbers;
  const most = /^rgba?\(/.test(color) ? 255 : 1;
  if (
    red === undefined ||
    green === undefined ||
    blue === undefined ||
    !/^(?:rgba?\(|color\(srgb )/.test(color)
  ) {
    throw new Error(`This color isn’t known here: ${color}`);
  }
  return [red / most, green / most, blue / most, alpha];
}

function luminance([red, green, blue]: Color): number {
  const linear = (value: number): number =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
