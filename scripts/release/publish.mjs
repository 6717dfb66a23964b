// @ts-check

/**
 * @typedef {'marketplace' | 'openvsx'} Market
 * @typedef {{ command: string, args: readonly string[] }} Program
 */

/** @type {readonly Market[]} */
export const markets = ['marketplace', 'openvsx'];

/**
 * The command that packages a version. Links and images in the README point to the version's tag.
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
 * The command that publishes a package. Visual Studio Marketplace trusts the workflow itself (OpenID Connect); Open VSX
 * takes its token from the variable OVSX_PAT. Whatever runs beside that token is pinned by package-lock.json. The
 * package itself says whether it is a pre-release.
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
      return {
        command: 'npx',
        args: ['--no-install', 'ovsx', 'publish', file, '--skip-duplicate'],
      };
  }
}
