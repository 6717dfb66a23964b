// @ts-check

/** The shipped files: users may notice a change in any of them. */
const product = /^(?:src\/|media\/|l10n\/|package(?:\.nls(?:\.[a-z-]+)?)?\.json$)/;

/**
 * The changes that should accompany the given ones but are missing.
 *
 * @param {readonly string[]} changed paths in the repository
 * @returns {string[]}
 */
export function missingCompanions(changed) {
  const has = (/** @type {RegExp} */ pattern) => changed.some((file) => pattern.test(file));
  const missing = [];
  if (has(product) && !has(/^CHANGELOG\.md$/)) {
    missing.push('CHANGELOG.md has no new entry. It needs one if users would notice the change.');
  }
  if (has(/^src\//) && !has(/^test\//)) {
    missing.push('No test changed with the code. Each bug fix needs one that fails without it.');
  }
  return missing;
}
