/** The columns of a row in a side bar 300 pixels wide: a longer row pushes the time out of view. */
const rowColumns = 33;
/** A title keeps at least this many columns, however long the description. */
const leastColumns = 18;
/** A title is cut after a whole word if that drops at most this many characters more. */
const longestRest = 9;

/** Characters that are two columns wide. */
const wide =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Extended_Pictographic}]/u;
/** Characters that belong to the one before. */
const attached = /[\p{M}\u200d\ufe0e\ufe0f]+$/u;

/**
 * Shortens a title to leave room for the row's description. Without one, VS Code cuts the title to
 * the width.
 */
export function rowLabel(title: string, description: string): string {
  const room = Math.max(leastColumns, rowColumns - description.length);
  // No character is wider than two columns.
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
