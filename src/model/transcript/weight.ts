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
  // Not by entries of each object: this runs for every tool call's update.
  let weight = objectWeight;
  if (Array.isArray(value)) {
    for (const item of value) {
      weight += weightOf(item) + 1;
    }
    return weight;
  }
  for (const key in value) {
    weight += key.length + weightOf((value as Readonly<Record<string, unknown>>)[key]);
  }
  return weight;
}
