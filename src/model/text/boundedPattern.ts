import vm from 'node:vm';

/** Longer patterns aren't run: compilation can't be interrupted, and can crash the process. */
const longestPattern = 500;

export type PatternResult =
  | { readonly kind: 'tested'; readonly matches: readonly boolean[] }
  | { readonly kind: 'invalid' | 'tooLong' | 'tooSlow' };

/**
 * Tests each value with an untrusted regular expression, within `longest` milliseconds for all
 * together.
 */
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
