export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) {
    throw new Error('No values');
  }
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Alternates `a` and `b`, so that changes in the machine's speed affect both equally. */
export async function interleaved<A, B>(
  rounds: number,
  a: () => Promise<A>,
  b: () => Promise<B>,
): Promise<{ readonly a: readonly A[]; readonly b: readonly B[] }> {
  const first: A[] = [];
  const second: B[] = [];
  for (let round = 0; round < rounds; round++) {
    first.push(await a());
    second.push(await b());
  }
  return { a: first, b: second };
}

/** The value that this percentage of the values doesn't exceed; 0 if there are none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}
