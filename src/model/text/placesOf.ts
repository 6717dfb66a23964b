/**
 * Where a text stands in another one, the first `most` places, which may overlap. Takes time in proportion to both
 * (Knuth, Morris and Pratt): with `indexOf` an agent could write a text whose search takes minutes.
 */
export function placesOf(text: string, part: string, most: number): readonly number[] {
  const places: number[] = [];
  if (part === '' || part.length > text.length) {
    return places;
  }
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length && places.length < most; at++) {
    matched = goOn(part, borders, matched, text.charCodeAt(at));
    if (matched === part.length) {
      places.push(at + 1 - matched);
    }
  }
  return places;
}

/** For each start of `part`, the length of the longest shorter one with which it ends. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1);
  for (let end = 1; end < part.length; end++) {
    borders[end + 1] = goOn(part, borders, borders[end] ?? 0, part.charCodeAt(end));
  }
  return borders;
}

/** How much of `part` is matched after one more character. */
function goOn(part: string, borders: Int32Array, matched: number, character: number): number {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== character) {
    length = borders[length] ?? 0;
  }
  return part.charCodeAt(length) === character ? length + 1 : 0;
}
