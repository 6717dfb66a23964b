const maxWords = 40;

/** A mention without spaces for something with a title: `@session:fix-the-cart`. */
export function mentionOf(kind: string, title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '')
    .slice(0, maxWords)
    .replace(/-$/, '');
  return `@${kind}:${words === '' ? 'untitled' : words}`;
}
