// @ts-check
import { createHash } from 'node:crypto';

/**
 * @typedef {import('./inputs.mjs').Inputs} Inputs
 * @typedef {import('./results.mjs').Results} Results
 *
 * @typedef {object} Pass of a test file as a whole
 * @property {string} inputs the hash of all that it depends on
 * @property {number} tests
 *
 * @typedef {Record<string, Record<string, Pass>>} Passes by suite and by the path of the file's bundle
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {readonly string[]} reads files and folders that each of its tests depends on
 * @property {string} surroundings what they depend on beside files
 */

/** What all tests depend on. */
const everywhere = [
  ...['esbuild.mjs', 'package-lock.json', 'scripts/build', 'scripts/json.mjs', 'scripts/paths.mjs'],
  ...['scripts/test.mjs', 'scripts/tests', 'tsconfig.json'],
];

/** @param {Inputs} inputs @param {Suite} suite @param {string} file */
function hashOf(inputs, { reads, surroundings }, file) {
  const hash = createHash('sha256').update(surroundings);
  return hash.update(inputs.hashOf(file, [...everywhere, ...reads])).digest('hex');
}

/**
 * The files that passed with the same inputs.
 *
 * @param {Passes} passes @param {Inputs} inputs @param {Suite} suite @param {readonly string[]} files
 */
export function unchangedFiles(passes, inputs, suite, files) {
  const before = passes[suite.name] ?? {};
  return files.filter((file) => before[file]?.inputs === hashOf(inputs, suite, file));
}

/**
 * The passes of a suite after a run. What was edited while the tests ran isn't among them.
 *
 * @param {Passes} passes
 * @param {{ before: Inputs, after: Inputs }} inputs
 * @param {Suite} suite
 * @param {readonly string[]} unchanged files that didn't run
 * @param {Results} results of the first attempt
 * @returns {Record<string, Pass>}
 */
export function passesAfter(passes, { before, after }, suite, unchanged, { files = {} }) {
  /** @type {Record<string, Pass>} */
  const kept = {};
  for (const file of unchanged) {
    const pass = passes[suite.name]?.[file];
    if (pass) kept[file] = pass;
  }
  for (const [file, { passed, others }] of Object.entries(files)) {
    if (passed === 0 || others > 0) continue;
    const inputs = hashOf(before, suite, file);
    if (inputs === hashOf(after, suite, file)) kept[file] = { inputs, tests: passed };
  }
  return kept;
}
