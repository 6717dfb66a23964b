/**
 * Marks unreachable code, so that the compiler reports every switch that lacks a case for a new
 * variant.
 */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
