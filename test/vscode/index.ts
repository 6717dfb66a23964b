import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { reportMark, runWithMocha } from '../../scripts/tests/mochaRun.mjs';

/**
 * The entry point in the extension host: runs the bundles that the runner names in the environment, otherwise every
 * `*.test.js` beside this one, and writes the results to the file that it names.
 */
export async function run(): Promise<void> {
  const named = process.env['ACP_SESSIONS_TEST_FILES'];
  const resultsFile = process.env['ACP_SESSIONS_TEST_RESULTS'];
  if (!resultsFile) throw new Error('ACP_SESSIONS_TEST_RESULTS names no file for the results.');
  const grep = process.env['ACP_SESSIONS_TEST_GREP'];
  const { failed } = await runWithMocha({
    files: named ? (JSON.parse(named) as string[]) : await allBeside(),
    resultsFile,
    timeout: 60_000,
    mark: reportMark,
    ...(grep ? { grep } : {}),
  });
  if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed.join('; ')}`);
}

async function allBeside(): Promise<string[]> {
  const entries = await readdir(__dirname, { recursive: true });
  return entries
    .filter((entry) => entry.endsWith('.test.js'))
    .sort()
    .map((entry) => path.join(__dirname, entry));
}
