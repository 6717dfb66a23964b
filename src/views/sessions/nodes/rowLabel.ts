/** Columns of a row that show in a side bar of 300 pixels: what is longer pushes the time out of it. */
const rowColumns = 33;
/** A title keeps at least so many, whatever stands behind it. */
const leastColumns = 18;
/** A title ends with a whole word, if one ends within so many columns. */
const longestRest = 9;

/** Letters as wide as two others. */
const wide =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Extended_Pictographic}]/u;
/** What only goes with the letter before it. */
const attached = /[\p{M}\u200d\ufe0e\ufe0f]+$/u;

/** A title that leaves room for what a row says behind it; without that VS Code cuts it as the width demands. */
export function rowLabel(title: string, description: string): string {
  const room = Math.max(leastColumns, rowColumns - description.length);
  // No letter is wider than two columns.
  if (description === '' || title.length * 2 <= room) {
    return title;
  }
  let columns = 0;
  let end = 0;
  for (const letter of title) {
    columns += wide.test(letter) ? 2 : 1;
    if (columns > room) {
      return `${wholeWords(title.slice(0, end), title[end] ?? '')}…`;
    }
    end += letter.length;
  }
  return title;
}

function wholeWords(text: string, next: string): string {
  const space = text.lastIndexOf(' ');
  const cutsWord = next !== ' ' && space >= text.length - longestRest && space > 0;
  return (cutsWord ? text.slice(0, space) : text).replace(attached, '').trimEnd();
}
