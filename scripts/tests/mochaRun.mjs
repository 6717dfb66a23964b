// @ts-check
import { writeFile } from 'node:fs/promises';
import { format } from 'node:util';

/** @typedef {import('./results.mjs').Results} Results */

/** Begins each line of the report in a console that others write to as well. */
export const reportMark = '│ ';

/**
 * Runs test files with mocha in this process and writes the results, as JSON, to a file. Used by
 * plain Node and inside VS Code's extension host alike.
 *
 * @param {object} options
 * @param {readonly string[]} options.files
 * @param {string} options.resultsFile
 * @param {number} options.timeout milliseconds for one test, unless it says otherwise
 * @param {string} [options.grep]
 * @param {number} [options.jobs] files that run at a time, each in a process of its own
 * @param {readonly string[]} [options.required] paths of what each process of several jobs loads first
 * @param {string} [options.mark] begins each line of the report
 * @returns {Promise<Results>}
 */
export async function runWithMocha(options) {
  const { files, resultsFile, timeout, grep, jobs = 1, required = [], mark = '' } = options;
  // Loaded late: the extension host has it outside of the bundle.
  const { default: Mocha } = await import('mocha');
  const print = (/** @type {unknown[]} */ ...line) => console.log(mark + format(...line));
  Mocha.reporters.Base.consoleLog = print;
  const mocha = new Mocha({
    timeout,
    forbidOnly: Boolean(process.env['CI']),
    ...(grep ? { grep } : {}),
    ...(jobs > 1 ? { parallel: true, jobs, require: [...required] } : {}),
  });
  for (const file of files) mocha.addFile(file);
  /** @type {Results} */
  const results = { passed: 0, failed: [], skipped: [] };
  try {
    // The processes of several jobs load theirs by themselves.
    if (jobs === 1) await mocha.loadFilesAsync();
    await new Promise((resolve) => {
      mocha
        .run(resolve)
        .on('pass', () => (results.passed += 1))
        .on('fail', (test) => results.failed.push(test.fullTitle()))
        .on('pending', (test) => results.skipped.push(test.fullTitle()));
    });
  } catch (error) {
    print(error);
    results.failed.push('its files could not be loaded');
  }
  await writeFile(resultsFile, JSON.stringify(results));
  return results;
}
