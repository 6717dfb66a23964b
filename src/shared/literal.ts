/** Invisible characters, except line breaks, tabs and those that are part of emoji. */
const unseen =
  /(?!\t|\n|\r(?:\n|$))(?!(?<=\p{Extended_Pictographic})\ufe0f|(?<=[\p{Extended_Pictographic}\ufe0f])\u200d)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/**
 * Makes a text that the user decides about unambiguous: invisible characters, and those that
 * reverse the surrounding text, are replaced by their code points (PE-9).
 */
export function literal(text: string): string {
  return text.replace(unseen, named);
}

/** Returns what `literal` does for single-line texts such as paths: line breaks and tabs are replaced, too. */
export function literalLine(text: string): string {
  return literal(text).replace(/[\t\n\r]/g, named);
}

/** Whether a text has characters that nobody sees, or that look like a space and are none. */
export function hasUnseen(text: string): boolean {
  return literal(text) !== text || /(?! )\p{Zs}/u.test(text);
}

function named(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
