/** Weight of an object besides its texts, in the unit of `measureWeight`. */
const objectWeight = 32;

/** The approximate memory of an entry or a value that came as JSON, in UTF-16 units. Its depth is bounded. */
export function measureWeight(value: unknown): number {
  if (typeof value === 'string') {
    return value.length;
  }
  if (typeof value !== 'object' || value === null) {
    return 8;
  }
  // `for…in` rather than `Object.entries`: this runs for every tool call update.
  let weight = objectWeight;
  if (Array.isArray(value)) {
    for (const item of value) {
      weight += measureWeight(item) + 1;
    }
    return weight;
  }
  if (value instanceof Map) {
    return measureWeight([...(value as ReadonlyMap<string, unknown>)].flat());
  }
  for (const key in value) {
    weight += key.length + measureWeight((value as Readonly<Record<string, unknown>>)[key]);
  }
  return weight;
}
