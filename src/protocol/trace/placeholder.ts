/**
 * A text of the same shape without its words: every letter and digit is replaced, and everything beyond ASCII, by a
 * letter that takes as many UTF-16 units and as many bytes in UTF-8. Spaces, line ends and marks such as those of
 * Markdown stay.
 */
export function placeholder(text: string): string {
  return text
    .replace(/[A-Z]/g, 'X')
    .replace(/[a-z]/g, 'x')
    .replace(/\d/g, '0')
    .replace(beyondAscii, standIn);
}

const beyondAscii = /[^\x00-\x7f]/gu;

function standIn(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x800) {
    return 'ø';
  }
  return code < 0x10000 ? '字' : '𝒙';
}
