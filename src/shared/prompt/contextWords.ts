/** What can be mentioned by a word, besides files: `@problems`, `@problems:errors`. */
const contextWords = ['problems', 'diff', 'terminal', 'open', 'selection', 'session'] as const;

const written = new RegExp(`^(?:${contextWords.join('|')})(?::\\S+)?$`);

/** Whether the text after `@` isn't the path of a file; such a file is mentioned as `@./diff` or `@<diff>`. */
export function isContextWord(text: string): boolean {
  return written.test(text);
}
