// @ts-check

/**
 * @typedef {object} Results the outcome of a suite
 * @property {number} passed
 * @property {string[]} failed titles
 * @property {string[]} skipped titles, with the reason if there is one
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
 * @param {readonly { suite: string, results: Results }[]} all
 */
export function reportResults(all) {
  console.log('');
  for (const { suite, results } of all) {
    for (const title of results.skipped) console.log(`skipped  ${suite}: ${title}`);
  }
  for (const { suite, results } of all) {
    for (const title of results.failed) console.log(`FAILED   ${suite}: ${title}`);
  }
  const sum = (/** @type {(results: Results) => number} */ count) =>
    all.reduce((total, { results }) => total + count(results), 0);
  const skipped = sum((results) => results.skipped.length);
  const closing = `${sum((results) => results.passed)} passed, ${sum((results) => results.failed.length)} failed`;
  console.log(skipped > 0 ? `${closing}, ${skipped} skipped` : closing);
}
