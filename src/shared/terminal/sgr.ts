/** A palette index from 0 to 15, which follows the theme, or a fixed `#rrggbb`. */
export type TerminalColor = number | string;

/** Style of terminal text. There is no hidden style: an agent's output always stays readable. */
export interface TerminalStyle {
  readonly foreground?: TerminalColor;
  readonly background?: TerminalColor;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
  /** The address of a link (OSC 8), as the program gave it. */
  readonly link?: string;
}

type Flag = Exclude<keyof TerminalStyle, 'foreground' | 'background' | 'link'>;

const setFlags: Readonly<Record<number, Flag>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
  21: 'underline',
};

const clearFlags: Readonly<Record<number, readonly Flag[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
};

/** Applies the parameters of one SGR sequence (`ESC [ … m`) to a style. */
export function applySgr(style: TerminalStyle, parameters: string): TerminalStyle {
  const groups = parameters.split(';');
  let next: TerminalStyle = style;
  for (let at = 0; at < groups.length; at++) {
    // Colons join the values of one attribute; with semicolons they are separate parameters.
    const values = (groups[at] ?? '').split(':').map(toNumber);
    const code = values[0] ?? 0;
    if (code === 38 || code === 48) {
      const inRow = values.length === 1;
      const rest = inRow ? groups.slice(at + 1).map(toNumber) : values.slice(1);
      const { color, used } = extendedColor(rest, inRow);
      if (color !== undefined) {
        next = { ...next, [code === 38 ? 'foreground' : 'background']: color };
      }
      at += inRow ? used : 0;
    } else {
      next = applyCode(next, code, values[1]);
    }
  }
  return next;
}

function applyCode(style: TerminalStyle, code: number, detail: number | undefined): TerminalStyle {
  if (code === 0) {
    return {};
  }
  if (code === 4 && detail === 0) {
    return without(style, 'underline');
  }
  const flag = setFlags[code];
  if (flag) {
    return { ...style, [flag]: true };
  }
  const cleared = clearFlags[code];
  if (cleared) {
    return without(style, ...cleared);
  }
  if (code === 39 || code === 49) {
    return without(style, code === 39 ? 'foreground' : 'background');
  }
  const bright = code >= 90 ? 60 : 0;
  const color = (code - bright) % 10;
  const ground = Math.floor((code - bright) / 10);
  if (color < 8 && (ground === 3 || ground === 4)) {
    return {
      ...style,
      [ground === 3 ? 'foreground' : 'background']: color + (bright > 0 ? 8 : 0),
    };
  }
  return style;
}

/** `5;n` from the 256-color palette or `2;r;g;b`; with colons, a color space may follow the `2`. */
function extendedColor(
  values: readonly number[],
  inRow: boolean,
): { color?: TerminalColor; used: number } {
  if (values[0] === 5) {
    const color = paletteColor(values[1] ?? 0);
    return color === undefined ? { used: 2 } : { color, used: 2 };
  }
  if (values[0] === 2) {
    const first = !inRow && values.length > 4 ? 2 : 1;
    const rgb = [0, 1, 2].map((part) => values[first + part] ?? 0);
    return rgb.every((part) => part <= 255) ? { color: hex(rgb), used: 4 } : { used: 4 };
  }
  return { used: 0 };
}

function paletteColor(index: number): TerminalColor | undefined {
  if (index < 16) {
    return index;
  }
  if (index < 232) {
    const cube = index - 16;
    const steps = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
    return hex(steps.map((step) => (step === 0 ? 0 : 55 + step * 40)));
  }
  const grey = 8 + (index - 232) * 10;
  return index < 256 ? hex([grey, grey, grey]) : undefined;
}

function hex(rgb: readonly number[]): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function without(style: TerminalStyle, ...keys: (keyof TerminalStyle)[]): TerminalStyle {
  return Object.fromEntries(
    Object.entries(style).filter(([key]) => !(keys as readonly string[]).includes(key)),
  );
}

function toNumber(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? 0 : value;
}
