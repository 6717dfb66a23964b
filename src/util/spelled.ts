/** Whether the letters are in the text, in their order, however much is between them. */
export function isSpelled(letters: string, text: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at === -1) {
      return false;
    }
  }
  return true;
}
