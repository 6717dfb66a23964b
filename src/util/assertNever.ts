/** Marks a place that no value can reach, so that the compiler names every switch that a new variant needs. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
