// @ts-check
import { writeFile } from 'node:fs/promises';
import { format } from 'node:util';
import { mochaHooks, timesVariable } from './times.mjs';

/** @typedef {import('./results.mjs').Results} Results */

/** Starts each line of the report in a console that is shared with other output. */
export const reportMark = '│ ';

/**
 * Runs test files with mocha in this process and writes the results to a file as JSON. Used both in plain Node and in
 * VS Code's extension host.
 *
 * @param {object} options
 * @param {readonly string[]} options.files
 * @param {string} options.resultsFile
 * @param {number} options.timeout the default timeout of a test, in milliseconds
 * @param {string} [options.grep]
 * @param {number} [options.jobs] number of files to run in parallel, each in a separate process
 * @param {readonly string[]} [options.required] paths of modules that each process of a parallel run loads first
 * @param {string} [options.mark] starts each line of the report
 * @returns {Promise<Results>}
 */
export async function runWithMocha(options) {
  const { files, resultsFile, timeout, grep, jobs = 1, required = [], mark = '' } = options;
  // Imported late: in the extension host it isn't part of the bundle.
  const { default: Mocha } = await import('mocha');
  const print = (/** @type {unknown[]} */ ...line) => console.log(mark + format(...line));
  Mocha.reporters.Base.consoleLog = print;
  const mocha = new Mocha({
    timeout,
    forbidOnly: Boolean(process.env['CI']),
    ...(grep ? { grep } : {}),
    ...(jobs > 1 ? { parallel: true, jobs, require: [...required] } : {}),
    ...(jobs === 1 && process.env[timesVariable] ? { rootHooks: mochaHooks } : {}),
  });
  for (const file of files) mocha.addFile(file);
  /** @type {Results} */
  const results = { passed: [], failed: [], skipped: [] };
  const counts = new FileCounts();
  try {
    // In a parallel run each process loads its own file.
    if (jobs === 1) await mocha.loadFilesAsync();
    await new Promise((resolve) => {
      mocha
        .run(resolve)
        .on('pass', (test) => {
          results.passed.push(test.fullTitle());
          counts.add(test.file, 'passed');
        })
        .on('fail', (test) => {
          results.failed.push(test.fullTitle());
          counts.add(test.file, 'others');
        })
        .on('pending', (test) => {
          results.skipped.push(test.fullTitle());
          counts.add(test.file, 'others');
        });
    });
    if (counts.files) results.files = counts.files;
  } catch (error) {
    print(error);
    results.failed.push('its files could not be loaded');
  }
  await writeFile(resultsFile, JSON.stringify(results));
  return results;
}

/** Counts the tests of each file, unless something fails that is in none. */
class FileCounts {
  /** @type {NonNullable<Results['files']> | undefined} */
  files = {};

  /** @param {string | undefined} file @param {'passed' | 'others'} how */
  add(file, how) {
    if (this.files === undefined) return;
    if (file === undefined) {
      this.files = undefined;
      return;
    }
    const counts = (this.files[file] ??= { passed: 0, others: 0 });
    counts[how] += 1;
  }
}
