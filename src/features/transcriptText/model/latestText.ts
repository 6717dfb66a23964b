/** The end of a text that is longer than `most` UTF-16 units, from the beginning of a line, with how much is left out. */
export function latestText(text: string, most: number): string {
  if (text.length <= most) {
    return text;
  }
  const cut = text.length - most;
  const line = text.indexOf('\n', cut);
  const from = line < 0 ? cut : line + 1;
  return `(The first ${from} characters are left out.)\n\n${text.slice(from)}`;
}
