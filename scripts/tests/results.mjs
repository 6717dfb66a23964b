// @ts-check

/**
 * @typedef {object} Results the outcome of a suite
 * @property {number} passed
 * @property {string[]} failed titles
 * @property {string[]} skipped titles, with the reason where there is one
 * @property {string[]} [unsteady] titles of tests, counted as passed, that failed at the first attempt
 */

/** A suite that could not run. @param {string} reason @returns {Results} */
export function failedToRun(reason) {
  return { passed: 0, failed: [reason], skipped: [] };
}

/** A suite that can't run here. @param {string} reason @returns {Results} */
export function skippedAsAWhole(reason) {
  return { passed: 0, failed: [], skipped: [reason] };
}

/**
 * Prints the failed and skipped tests by name, then the line with the totals, which other programs
 * parse.
 *
 * @param {readonly { name: string, results: Results }[]} all
 */
export function reportResults(all) {
  console.log('');
  /** @param {string} word @param {(results: Results) => readonly string[] | undefined} titlesOf */
  const name = (word, titlesOf) => {
    for (const { name: suite, results } of all) {
      for (const title of titlesOf(results) ?? []) console.log(`${word} ${suite}: ${title}`);
    }
  };
  name('skipped ', (results) => results.skipped);
  name('unsteady', (results) => results.unsteady);
  name('FAILED  ', (results) => results.failed);
  const sum = (/** @type {(results: Results) => number} */ count) =>
    all.reduce((total, { results }) => total + count(results), 0);
  const skipped = sum((results) => results.skipped.length);
  const closing = `${sum((results) => results.passed)} passed, ${sum((results) => results.failed.length)} failed`;
  console.log(skipped > 0 ? `${closing}, ${skipped} skipped` : closing);
}
