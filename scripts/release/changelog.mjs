// @ts-check

/**
 * The section of CHANGELOG.md about a version, without its heading; `undefined` if there is none.
 *
 * @param {string} changelog
 * @param {string} version `Unreleased` or a version
 * @returns {string | undefined}
 */
export function sectionOf(changelog, version) {
  const heading = `## [${version}]`;
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(heading));
  return section?.slice(section.indexOf('\n')).trim();
}

/**
 * Whether a version's heading has a date, such as `## [1.2.0] - 2026-11-22`.
 * @param {string} changelog
 * @param {string} version
 */
export function hasDay(changelog, version) {
  const escaped = version.replaceAll('.', '\\.');
  return new RegExp(`^## \\[${escaped}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm').test(changelog);
}
