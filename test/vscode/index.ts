import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { reportMark, runWithMocha } from '../../scripts/tests/mochaRun.mjs';

/**
 * The entry point in the extension host: runs every `*.test.js` beside this bundle and writes the
 * results to the file that the runner names in the environment.
 */
export async function run(): Promise<void> {
  const entries = await readdir(__dirname, { recursive: true });
  const resultsFile = process.env['ACP_SESSIONS_TEST_RESULTS'];
  if (!resultsFile) throw new Error('ACP_SESSIONS_TEST_RESULTS names no file for the results.');
  const grep = process.env['ACP_SESSIONS_TEST_GREP'];
  const { failed } = await runWithMocha({
    files: entries
      .filter((entry) => entry.endsWith('.test.js'))
      .sort()
      .map((entry) => path.join(__dirname, entry)),
    resultsFile,
    timeout: 60_000,
    mark: reportMark,
    ...(grep ? { grep } : {}),
  });
  if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed.join('; ')}`);
}
