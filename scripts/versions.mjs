// @ts-check

/**
 * The versions that set-up installs in addition to those of package.json. `newest` is the VS Code
 * that the tests run in; `oldest` is the minimum that `engines.vscode` promises.
 *
 * @typedef {'newest' | 'oldest'} VersionName
 * @typedef {object} HostVersion
 * @property {string} vscode the version that it reports
 * @property {string} codeServer the npm package that contains VS Code's own server
 * @property {string} node the Node version that this server is built for
 * @property {string} desktop the same version as a desktop download
 */

/** @type {Record<VersionName, HostVersion>} */
export const hostVersions = {
  newest: { vscode: '1.139.1', codeServer: '4.139.1', node: '24.21.0', desktop: 'stable' },
  oldest: { vscode: '1.106.3', codeServer: '4.106.3', node: '22.20.0', desktop: '1.106.3' },
};

/** Replaces the search program that the oldest host would download. */
export const ripgrepVersion = '1.18.0';

/** Replaces the fork that the oldest host takes from a code host instead of the registry. */
export const watcherVersion = '2.5.1';

/** The agents that `npm run try:agents` tries. */
export const triedPackages = {
  '@agentclientprotocol/claude-agent-acp': '0.101.0',
  '@agentclientprotocol/codex-acp': '2.6.0',
  'opencode-ai': '1.18.33',
};
