/** Letters and digits at the beginning of words. */
const initial = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;
const firstTwo = /^[^\p{L}\p{N}]*([\p{L}\p{N}])[^\p{L}\p{N}]*([\p{L}\p{N}]?)/u;

/** An icon for an agent that has none: two letters of its title, which tell it from others. */
export function initialsIcon(title: string): string | undefined {
  const [first, second] = title.match(initial) ?? [];
  const [, one = '', two = ''] = firstTwo.exec(title) ?? [];
  const letters = first !== undefined && second !== undefined ? first + second : one + two;
  if (letters === '') {
    return undefined;
  }
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="currentColor">',
    '<text x="8" y="12" font-family="sans-serif" font-size="10.5" font-weight="600" text-anchor="middle"',
    letters.length > 1 ? ' textLength="14" lengthAdjust="spacingAndGlyphs"' : '',
    `>${letters.toUpperCase()}</text></svg>`,
  ].join('');
}
