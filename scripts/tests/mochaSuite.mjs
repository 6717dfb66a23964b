// @ts-check
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { projectFolder } from '../paths.mjs';
import { failedToRun, withResultsFile } from './results.mjs';
import { timesVariable } from './times.mjs';

/** @typedef {import('./results.mjs').Results} Results */

/**
 * Leaves SQLite's engine as V8 first compiles it: each process that opens a search index would otherwise spend most of a
 * second on code that it doesn't run for that long.
 */
const nodeOptions = ['--liftoff-only'];

/**
 * Runs the bundled tests of `out/<suite>` in plain Node.
 *
 * @param {object} options
 * @param {string} options.suite
 * @param {number} options.timeout
 * @param {string | undefined} options.grep
 * @param {number} [options.jobs] number of files to run in parallel
 * @param {readonly string[]} [options.hooks] names of scripts in this folder that each process of a parallel run loads
 * @param {readonly string[]} [options.first] beginnings of paths in the suite's folder: these files run first
 * @param {Record<string, string>} [options.env]
 * @returns {Promise<Results>}
 */
export async function runMochaSuite(options) {
  const { suite, timeout, grep, jobs = 1, hooks = [], first = [], env = {} } = options;
  const files = await findTests(suite, '.test.mjs', first);
  if (files.length === 0) return failedToRun(`there are no tests in out/${suite}`);
  return withResultsFile(async (resultsFile) => {
    const script = (/** @type {string} */ name) =>
      path.join(projectFolder, 'scripts', 'tests', name);
    const timed = process.env[timesVariable] ? ['times.mjs'] : [];
    const required = [...hooks, 'leftovers.mjs', ...timed].map(script);
    const order = JSON.stringify({ files, resultsFile, timeout, grep, jobs, required });
    const program = script('mochaProgram.mjs');
    /** @type {number} */
    const code = await new Promise((resolve) => {
      spawn(process.execPath, ['--enable-source-maps', ...nodeOptions, program, order], {
        cwd: projectFolder,
        stdio: 'inherit',
        env: { ...process.env, ...env },
      }).on('exit', (exitCode) => resolve(exitCode ?? -1));
    });
    return code > 1 || code < 0 ? `its process ended with code ${code}` : undefined;
  });
}

/**
 * @param {string} suite @param {string} ending @param {readonly string[]} first
 * @returns {Promise<string[]>} absolute paths
 */
async function findTests(suite, ending, first) {
  const folder = path.join(projectFolder, 'out', suite);
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const rank = (/** @type {string} */ entry) => {
    const at = first.findIndex((beginning) => entry.startsWith(beginning));
    return at === -1 ? first.length : at;
  };
  return entries
    .filter((entry) => entry.endsWith(ending))
    .sort()
    .sort((a, b) => rank(a) - rank(b))
    .map((entry) => path.join(folder, entry));
}
