// @ts-check

/** What people get: a change of it is one that they could notice. */
const product = /^(?:src\/|media\/|l10n\/|package(?:\.nls(?:\.[a-z-]+)?)?\.json$)/;

/**
 * What should have changed with some files and hasn't.
 *
 * @param {readonly string[]} changed paths in the repository
 * @returns {string[]}
 */
export function lacks(changed) {
  const has = (/** @type {RegExp} */ pattern) => changed.some((file) => pattern.test(file));
  const missing = [];
  if (has(product) && !has(/^CHANGELOG\.md$/)) {
    missing.push('CHANGELOG.md has no new line. It needs one if a person would notice the change.');
  }
  if (has(/^src\//) && !has(/^test\//)) {
    missing.push(
      'No test changed with the code. Each defect gets one that fails before the change.',
    );
  }
  return missing;
}
