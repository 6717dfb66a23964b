// @ts-check

/**
 * Every version that set-up installs beside package.json. `newest` is the VS Code that the tests
 * run in; `oldest` is the one that `engines.vscode` promises.
 *
 * @typedef {'newest' | 'oldest'} VersionName
 * @typedef {object} HostVersion
 * @property {string} vscode what it calls itself
 * @property {string} codeServer the npm package that carries VS Code's own server
 * @property {string} node the Node that this server is made for
 * @property {string} desktop the same version as a desktop download
 */

/** @type {Record<VersionName, HostVersion>} */
export const hostVersions = {
  newest: { vscode: '1.139.1', codeServer: '4.139.1', node: '24.21.0', desktop: 'stable' },
  oldest: { vscode: '1.106.3', codeServer: '4.106.3', node: '22.20.0', desktop: '1.106.3' },
};

/** Takes the place of the program that the oldest host would download for searching files. */
export const ripgrepVersion = '1.18.0';

/** Takes the place of the fork that the oldest host names on a code host instead of the registry. */
export const watcherVersion = '2.5.1';
