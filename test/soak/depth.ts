/** The nesting depth of arrays and objects in a value, computed without recursion. */
export function depthOf(value: unknown): number {
  let depth = 0;
  let level = containersIn([value]);
  while (level.length > 0) {
    depth += 1;
    level = level.flatMap((container) => containersIn(Object.values(container)));
  }
  return depth;
}

function containersIn(values: readonly unknown[]): readonly object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
