/** An icon as `cleanIcon` writes it, in a color. */
export function tinted(icon: string, color: string): string {
  return icon.replaceAll('currentColor', color);
}
