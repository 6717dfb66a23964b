/**
 * For tests of what Windows doesn't have. Looks `it` up at each call: when files run in parallel, mocha has another one
 * for each file of a process, and a test that the one before got would never run.
 */
export function posixOnly(title: string, run: (this: Mocha.Context) => unknown): Mocha.Test {
  const test = process.platform === 'win32' ? it.skip : it;
  return test(title, run as Mocha.AsyncFunc);
}
