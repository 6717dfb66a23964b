// @ts-check
import { hasDay, sectionOf } from './changelog.mjs';
import { addressesOf, hasPlaceholder, repositoryOf } from './identity.mjs';

/**
 * @typedef {object} State the inputs of a release
 * @property {import('./identity.mjs').Manifest & { private?: boolean, sponsor?: unknown }} manifest
 * @property {string} lockVersion of package-lock.json
 * @property {string} changelog
 * @property {readonly string[]} tags of the checked-out commit
 * @property {readonly string[]} changedFiles files with uncommitted changes
 */

/**
 * The reasons not to release a state, as sentences that include the remedy; empty if it may be
 * released.
 *
 * @param {State} state
 * @returns {string[]}
 */
export function whatStops({ manifest, lockVersion, changelog, tags, changedFiles }) {
  const { version } = manifest;
  return [
    ...identityProblems(manifest),
    ...(/^\d+\.\d+\.\d+$/.test(version)
      ? []
      : [`"${version}" is not a version that the marketplaces accept: use three numbers.`]),
    ...(lockVersion === version
      ? []
      : [`package-lock.json says ${lockVersion}, package.json ${version}: run "npm install".`]),
    ...changelogProblems(changelog, version),
    ...(tags.includes(`v${version}`)
      ? []
      : [`This commit has no tag v${version}: "git tag v${version}" when all else is right.`]),
    ...(changedFiles.length === 0
      ? []
      : [`Not committed: ${changedFiles.slice(0, 5).join(', ')}. A release is made of a commit.`]),
  ];
}

/** @param {State['manifest']} manifest */
function identityProblems(manifest) {
  const expected = addressesOf(repositoryOf(manifest));
  const differing = Object.entries(expected).filter(
    ([key, value]) =>
      JSON.stringify(manifest[/** @type {keyof typeof expected} */ (key)]) !==
      JSON.stringify(value),
  );
  const command = 'npm run identity -- <publisher> <repository>';
  return [
    ...(hasPlaceholder(manifest)
      ? [`package.json has a placeholder for the repository: run "${command}".`]
      : []),
    ...differing.map(([key]) => `"${key}" in package.json isn't the repository's: "${command}".`),
    ...(manifest.private || manifest.sponsor
      ? ['package.json must have neither "private" nor "sponsor".']
      : []),
  ];
}

/** @param {string} changelog @param {string} version */
function changelogProblems(changelog, version) {
  const problems = [];
  if (!sectionOf(changelog, version)) problems.push(`CHANGELOG.md has nothing about ${version}.`);
  else if (!hasDay(changelog, version)) {
    problems.push(
      `CHANGELOG.md doesn't say the day of ${version}: "## [${version}] - YYYY-MM-DD".`,
    );
  }
  if (sectionOf(changelog, 'Unreleased')) {
    problems.push(`CHANGELOG.md has changes under [Unreleased]: move them to ${version}.`);
  }
  return problems;
}

/**
 * Whether a version is a pre-release, which is when its minor version is odd. The Marketplace recommends this scheme
 * because it doesn't support versions such as 1.0.0-beta.
 *
 * @param {string} version
 */
export function isPreRelease(version) {
  return Number(version.split('.')[1]) % 2 === 1;
}
