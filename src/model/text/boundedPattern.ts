import vm from 'node:vm';

/** Longer patterns aren't run: compilation can't be interrupted, and can crash the process. */
const maxPatternLength = 500;

export type PatternResult =
  | { readonly kind: 'tested'; readonly matches: readonly boolean[] }
  | { readonly kind: 'invalid' | 'tooLong' | 'tooSlow' };

/**
 * Tests each value with an untrusted regular expression, within `longest` milliseconds for all
 * together, or twice that on a busy machine.
 */
export function testPattern(
  pattern: string,
  flags: string,
  values: readonly string[],
  longest: number,
): PatternResult {
  if (pattern.length > maxPatternLength) {
    return { kind: 'tooLong' };
  }
  const text = JSON.stringify(values);
  const context = Object.assign(Object.create(null) as object, { pattern, flags, text });
  const run =
    '{ const regex = new RegExp(pattern, flags); JSON.parse(text).map((value) => regex.test(value)).join() }';
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage();
    try {
      const result: unknown = vm.runInNewContext(run, context, { timeout: longest });
      const matches = typeof result === 'string' ? result.split(',') : [];
      return { kind: 'tested', matches: values.map((_, index) => matches[index] === 'true') };
    } catch (error) {
      if (!isTimeout(error)) {
        return { kind: 'invalid' };
      }
      // On a busy machine, others may have had the processor for most of the time.
      if (attempt === 2 || processorMs(before) >= longest / 2) {
        return { kind: 'tooSlow' };
      }
    }
  }
}

function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function isTimeout(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
