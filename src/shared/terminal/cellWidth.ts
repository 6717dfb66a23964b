/** Characters that take two columns, as most terminals agree: those of East Asian scripts, and emoji. */
const wide =
  /^(?![\u1160-\u11ff\uff61-\uffdc\u{1f1e6}-\u{1f1ff}])[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
/** Characters that are drawn with the one before them. */
const joined = /^[\p{Mn}\p{Me}\u1160-\u11ff\u200b-\u200d\u{1f3fb}-\u{1f3ff}]/u;

/** The number of columns that a character takes in a terminal. */
export function cellWidth(char: string): 0 | 1 | 2 {
  return char < '\u0300' ? 1 : joined.test(char) ? 0 : wide.test(char) ? 2 : 1;
}
