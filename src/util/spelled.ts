/** Whether the text contains the letters in this order, possibly with others in between. */
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
