import vm from 'node:vm';

/** Compiling can't be interrupted, and a long pattern can take the whole process down: those aren't run. */
const longestPattern = 500;

export type PatternResult =
  | { readonly kind: 'tested'; readonly matches: readonly boolean[] }
  | { readonly kind: 'invalid' | 'tooLong' | 'tooSlow' };

/** Tests each value with a regular expression of anybody's, for `longest` milliseconds with all of them at most. */
export function testPattern(
  pattern: string,
  flags: string,
  values: readonly string[],
  longest: number,
): PatternResult {
  if (pattern.length > longestPattern) {
    return { kind: 'tooLong' };
  }
  const text = JSON.stringify(values);
  const context = Object.assign(Object.create(null) as object, { pattern, flags, text });
  const run =
    '{ const regex = new RegExp(pattern, flags); JSON.parse(text).map((value) => regex.test(value)).join() }';
  try {
    const result: unknown = vm.runInNewContext(run, context, { timeout: longest });
    const matches = typeof result === 'string' ? result.split(',') : [];
    return { kind: 'tested', matches: values.map((_, index) => matches[index] === 'true') };
  } catch (error) {
    return { kind: isTimeout(error) ? 'tooSlow' : 'invalid' };
  }
}

function isTimeout(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
