// @ts-check

/** Publishes to Open VSX: run as it is from the registry, because nothing else here needs it. */
const ovsx = 'ovsx@1.3.0';

/**
 * @typedef {'marketplace' | 'openvsx'} Market
 * @typedef {{ command: string, args: readonly string[] }} Program
 */

/** @type {readonly Market[]} */
export const markets = ['marketplace', 'openvsx'];

/**
 * The program that makes the package of a version. Links and pictures of its README lead to the version's tag.
 *
 * @param {{ version: string, preRelease: boolean, file: string }} release
 * @returns {Program}
 */
export function packaging({ version, preRelease, file }) {
  return {
    command: 'npx',
    args: [
      ...['--no-install', 'vsce', 'package', '--no-dependencies'],
      ...['--githubBranch', `v${version}`, '--out', file],
      ...(preRelease ? ['--pre-release'] : []),
    ],
  };
}

/**
 * The program that publishes a package. Visual Studio Marketplace trusts the workflow itself (OpenID Connect); Open VSX
 * gets its token in the variable OVSX_PAT. Whether it is a pre-release is in the package.
 *
 * @param {Market} market
 * @param {string} file
 * @returns {Program}
 */
export function publishing(market, file) {
  switch (market) {
    case 'marketplace':
      return {
        command: 'npx',
        args: [
          ...['--no-install', 'vsce', 'publish', '--oidc', '--skip-duplicate'],
          ...['--packagePath', file],
        ],
      };
    case 'openvsx':
      return { command: 'npx', args: ['--yes', ovsx, 'publish', file, '--skip-duplicate'] };
  }
}
