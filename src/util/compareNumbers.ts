/**
 * Compares lists of numbers place by place, as those of versions: negative if `a` comes first, 0 if they are equal. A
 * missing number counts as 0.
 */
export function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}
