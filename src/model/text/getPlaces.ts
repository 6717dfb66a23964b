/**
 * The offsets of the first `most` occurrences of `part`, which may overlap. Takes linear time
 * (Knuth-Morris-Pratt): with `getIndex`, an agent could write a text that takes minutes to search.
 */
export function getPlaces(text: string, part: string, most: number): readonly number[] {
  const places: number[] = [];
  if (part === '' || part.length > text.length) {
    return places;
  }
  const borders = computeBorders(part);
  let matched = 0;
  for (let at = 0; at < text.length && places.length < most; at++) {
    matched = goOn(part, borders, matched, text.charCodeAt(at));
    if (matched === part.length) {
      places.push(at + 1 - matched);
    }
  }
  return places;
}

/** The length of the longest proper prefix that is also a suffix, for each prefix of `part`. */
function computeBorders(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1);
  for (let end = 1; end < part.length; end++) {
    borders[end + 1] = goOn(part, borders, borders[end] ?? 0, part.charCodeAt(end));
  }
  return borders;
}

/** The length of the match after one more character. */
function goOn(part: string, borders: Int32Array, matched: number, character: number): number {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== character) {
    length = borders[length] ?? 0;
  }
  return part.charCodeAt(length) === character ? length + 1 : 0;
}
