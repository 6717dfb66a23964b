/** What an object costs besides its texts, in the unit of `weightOf`. */
const objectWeight = 32;

/** About how much memory a value takes that came as JSON, in UTF-16 units of text. Its depth is bounded. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') {
    return value.length;
  }
  if (typeof value !== 'object' || value === null) {
    return 8;
  }
  let weight = objectWeight;
  for (const [key, item] of Object.entries(value)) {
    weight += key.length + weightOf(item);
  }
  return weight;
}
