/** Longest picture of a diagram, in UTF-16 units; one of a thousand arrows has about as much. */
const maxSvg = 500_000;

/**
 * Takes out of the library's picture what would load a font. Throws if the picture is too long.
 * It is shown as an image, in which nothing runs and from which nothing is loaded.
 */
export function cleanSvg(svg: string): string {
  if (svg.length > maxSvg) {
    throw new Error('The diagram is too large');
  }
  return svg.replace(/@import url\([^)]*\);/g, '');
}

const sampleColors = '--bg:#FFFFFF;--fg:#27272A';

/** Colors of the theme; as they are known to CSS. */
export interface DiagramColors {
  readonly background: string;
  readonly foreground: string;
}

/** The address of an image that shows a picture in these colors. */
export function toImageUrl(svg: string, { background, foreground }: DiagramColors): string {
  const colored = svg.replace(sampleColors, `--bg:${background};--fg:${foreground}`);
  return `data:image/svg+xml,${encodeURIComponent(colored)}`;
}
