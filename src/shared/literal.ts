/** Characters that can't be seen, except line ends, tabs and the marks that make up emoji. */
const unseen =
  /(?!\t|\n|\r(?:\n|$))(?!(?<=[\p{Extended_Pictographic}\ufe0f])[\u200d\ufe0f])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/**
 * A text that the user decides about, as it really is: characters that can't be seen, or that reverse the text around
 * them, are named instead of drawn (PE-9).
 */
export function literal(text: string): string {
  return text.replace(unseen, named);
}

/** Like `literal`, for a text that has to be one line, such as a path: line ends and tabs are named, too. */
export function literalLine(text: string): string {
  return literal(text).replace(/[\t\n\r]/g, named);
}

function named(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
