// @ts-check
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseJson } from '../json.mjs';
import { projectFolder } from '../paths.mjs';
import { failedToRun } from './results.mjs';

/** @typedef {import('./results.mjs').Results} Results */

/**
 * Runs the bundled tests of `out/<suite>` in plain Node.
 *
 * @param {object} options
 * @param {string} options.suite
 * @param {number} options.timeout
 * @param {string | undefined} options.grep
 * @param {number} [options.jobs] number of files to run in parallel
 * @param {readonly string[]} [options.hooks] names of scripts in this folder that each process of a parallel run loads
 * @param {Record<string, string>} [options.env]
 * @returns {Promise<Results>}
 */
export async function runMochaSuite({ suite, timeout, grep, jobs = 1, hooks = [], env = {} }) {
  const files = await findTests(suite, '.test.mjs');
  if (files.length === 0) return failedToRun(`there are no tests in out/${suite}`);
  return withResultsFile(async (resultsFile) => {
    const script = (/** @type {string} */ name) =>
      path.join(projectFolder, 'scripts', 'tests', name);
    const required = [...hooks, 'leftovers.mjs'].map(script);
    const order = JSON.stringify({ files, resultsFile, timeout, grep, jobs, required });
    const program = script('mochaProgram.mjs');
    /** @type {number} */
    const code = await new Promise((resolve) => {
      spawn(process.execPath, ['--enable-source-maps', program, order], {
        cwd: projectFolder,
        stdio: 'inherit',
        env: { ...process.env, ...env },
      }).on('exit', (exitCode) => resolve(exitCode ?? -1));
    });
    return code > 1 || code < 0 ? `its process ended with code ${code}` : undefined;
  });
}

/** @param {string} suite @param {string} ending @returns {Promise<string[]>} absolute paths */
async function findTests(suite, ending) {
  const folder = path.join(projectFolder, 'out', suite);
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.endsWith(ending))
    .sort()
    .map((entry) => path.join(folder, entry));
}

/**
 * Gives a run a temporary file for its results, and reads them afterwards.
 *
 * @param {(resultsFile: string) => Promise<string | undefined>} run resolves with a description of
 * a failure other than a failed test
 * @returns {Promise<Results>}
 */
export async function withResultsFile(run) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-results-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const resultsFile = path.join(folder, 'results.json');
    const trouble = await run(resultsFile);
    const text = await readFile(resultsFile, 'utf8').catch(() => undefined);
    if (text === undefined) return failedToRun(trouble ?? 'it ended without results');
    /** @type {Results} */
    const results = parseJson(text);
    return trouble ? { ...results, failed: [...results.failed, trouble] } : results;
  } finally {
    remove();
    process.off('exit', remove);
  }
}
