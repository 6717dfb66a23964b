// @ts-check
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { projectFolder } from '../paths.mjs';
import { withResultsFile } from './results.mjs';
import { timesVariable } from './times.mjs';

/** @typedef {import('./results.mjs').Results} Results */

/**
 * Leaves SQLite's engine as V8 first compiles it: each process that opens a search index would otherwise spend most of a
 * second on code that it doesn't run for that long.
 */
const nodeOptions = ['--liftoff-only'];

/**
 * Runs bundled tests in plain Node, in an empty folder: what they read of the project must be known, see inputs.mjs.
 *
 * @param {object} options
 * @param {readonly string[]} options.files paths of bundles
 * @param {number} options.timeout
 * @param {string | undefined} options.grep
 * @param {number} [options.jobs] number of files to run in parallel
 * @param {readonly string[]} [options.hooks] names of scripts in this folder that each process of a parallel run loads
 * @param {readonly string[]} [options.first] beginnings of paths: these files run first
 * @param {Record<string, string>} [options.env]
 * @returns {Promise<Results>}
 */
export async function runMochaSuite(options) {
  const { timeout, grep, jobs = 1, hooks = [], first = [], env = {} } = options;
  const files = inOrder(options.files, first);
  return withResultsFile(async (resultsFile) => {
    const folder = path.join(path.dirname(resultsFile), 'empty');
    await mkdir(folder);
    const script = (/** @type {string} */ name) =>
      path.join(projectFolder, 'scripts', 'tests', name);
    const timed = process.env[timesVariable] ? ['times.mjs'] : [];
    const required = [...hooks, 'leftovers.mjs', ...timed].map(script);
    const inFolder = files.map((file) => path.join(projectFolder, file));
    const order = JSON.stringify({ files: inFolder, resultsFile, timeout, grep, jobs, required });
    const program = script('mochaProgram.mjs');
    /** @type {number} */
    const code = await new Promise((resolve) => {
      spawn(process.execPath, ['--enable-source-maps', ...nodeOptions, program, order], {
        cwd: folder,
        stdio: 'inherit',
        env: { ...process.env, PWD: folder, INIT_CWD: folder, ...env },
      }).on('exit', (exitCode) => resolve(exitCode ?? -1));
    });
    return code > 1 || code < 0 ? `its process ended with code ${code}` : undefined;
  });
}

/** @param {readonly string[]} files @param {readonly string[]} first */
function inOrder(files, first) {
  const rank = (/** @type {string} */ file) => {
    const at = first.findIndex((beginning) => file.startsWith(beginning));
    return at === -1 ? first.length : at;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}
