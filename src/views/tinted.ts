/** An icon of the registry in a color: what says `currentColor`, and what says nothing of its color. */
export function tinted(icon: string, color: string): string {
  const [root = ''] = /<svg[^>]*/.exec(icon) ?? [];
  const filled = /\sfill\s*=/.test(root) ? root : root.replace('<svg', '<svg fill="currentColor"');
  return icon.replace(root, filled).replace(/currentColor/gi, color);
}
