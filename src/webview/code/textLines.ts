/** Number of lines in a text; a trailing line break counts as starting an empty last line. */
export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines++;
  }
  return lines;
}

/** The first lines of a text, without the line break that ends them. */
export function firstLines(text: string, lines: number): string {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) {
      return text;
    }
  }
  return text.slice(0, end);
}
