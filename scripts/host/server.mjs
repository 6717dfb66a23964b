// @ts-check
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../json.mjs';
import { projectFolder } from '../paths.mjs';
import { browserHostPaths } from '../setup/browserHost.mjs';
import { startOnLeash } from './leash.mjs';
import { quietSettings } from './settings.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {import('../versions.mjs').VersionName} version
 * @property {string} dataFolder for settings, state, logs and extensions; created if missing
 * @property {boolean} installed whether to install the extension
 * @property {readonly string[]} [extensions] folders of other extensions to install
 * @property {string} [folder] opened when the URL names none
 * @property {number} [port] a free one by default
 * @property {string} [token] the connection token, required in the URL; random by default
 * @property {boolean} [trust] whether Workspace Trust is enabled
 * @property {Record<string, unknown>} [settings] user settings of a new data folder, in addition to the quiet ones
 * @property {Record<string, string>} [env] for the extension host
 * @property {boolean} [temporary] whether to delete the data folder when the server stops
 * @property {boolean} [forTests] lets the URL name extensions under development and tests; VS Code shows no notifications
 * in its corner then
 */

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {string} dataFolder
 * @property {(query?: Record<string, string>) => string} address the URL of a window
 * @property {() => string} output everything that it has printed
 * @property {Promise<number>} exited
 * @property {() => Promise<string[]>} stop resolves with the processes that outlived it, see
 * leash.mjs
 */

/**
 * Starts VS Code's server on the loopback interface.
 *
 * @param {ServerOptions} options
 * @returns {Promise<Server>} resolves once it listens; rejects with its output if it ends first
 */
export async function startServer(options) {
  const { version, dataFolder, folder, trust = false, env = {}, forTests = false } = options;
  const { token = randomBytes(12).toString('hex'), temporary = false } = options;
  await prepareDataFolder(options);
  // In a file, because every user of the machine can read a program's arguments.
  const tokenFile = path.join(dataFolder, 'token');
  await writeFile(tokenFile, token, { mode: 0o600 });
  const leashed = startOnLeash({
    command: browserHostPaths(version).node,
    args: [
      browserHostPaths(version).serverMain,
      ...['--host', '127.0.0.1', '--port', String(options.port ?? 0)],
      ...['--connection-token-file', tokenFile, '--accept-server-license-terms'],
      ...['--user-data-dir', dataFolder, '--server-data-dir', path.join(dataFolder, 'server')],
      ...['--extensions-dir', path.join(dataFolder, 'extensions')],
      ...['--telemetry-level', 'off', '--force-disable-user-env'],
      ...(forTests ? ['--enable-smoke-test-driver'] : []),
      // On the loopback interface it would only cost time.
      '--disable-websocket-compression',
      ...(trust ? [] : ['--disable-workspace-trust']),
      ...(folder ? ['--default-folder', folder] : []),
    ],
    remove: temporary ? [dataFolder] : [],
    // Without a gallery nothing is looked up on the network.
    env: { ...process.env, EXTENSIONS_GALLERY: '{}', ...env },
  });
  const log = createWriteStream(path.join(dataFolder, 'server.log'));
  leashed.output.pipe(log);
  let output = '';
  leashed.output.on('data', (chunk) => {
    output += String(chunk);
  });
  const port = await listeningPort(leashed, () => output);
  return {
    port,
    dataFolder,
    address: (query = {}) => {
      const search = new URLSearchParams({ tkn: token, ...query });
      return `http://127.0.0.1:${port}/?${search.toString()}`;
    },
    output: () => output,
    exited: leashed.exited,
    stop: leashed.stop,
  };
}

/**
 * @param {import('./leash.mjs').Leashed} leashed
 * @param {() => string} output
 * @returns {Promise<number>}
 */
function listeningPort(leashed, output) {
  return new Promise((resolve, reject) => {
    leashed.output.on('data', () => {
      const match = /Web UI available at \S+?:(\d+)/.exec(output());
      if (match) resolve(Number(match[1]));
    });
    void leashed.exited.then((code) => {
      reject(new Error(`VS Code's server ended with code ${code}:\n${output()}`));
    });
  });
}

/** @param {ServerOptions} options */
async function prepareDataFolder({ dataFolder, installed, extensions = [], settings = {} }) {
  const folder = path.join(dataFolder, 'extensions');
  // Recreated each time, because VS Code keeps its own list of the installed extensions here.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // Machine-scoped settings, such as commands to start, are read from the machine's own file.
  for (const scope of ['User', 'Machine']) {
    const settingsFile = path.join(dataFolder, scope, 'settings.json');
    // An existing data folder keeps the settings that the developer changed.
    if (existsSync(settingsFile)) continue;
    await mkdir(path.dirname(settingsFile), { recursive: true });
    await writeFile(settingsFile, JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
  }
  for (const extension of installed ? [projectFolder, ...extensions] : extensions) {
    await linkExtension(extension, folder);
  }
}

/**
 * A symbolic link rather than a copy, so that "Reload Window" picks up a new build.
 *
 * @param {string} extension its folder
 * @param {string} folder
 */
async function linkExtension(extension, folder) {
  const manifest = await readFile(path.join(extension, 'package.json'), 'utf8');
  /** @type {{ publisher: string, name: string, version: string }} */
  const { publisher, name, version } = parseJson(manifest);
  const link = path.join(folder, `${publisher}.${name}-${version}`);
  await symlink(extension, link, 'dir');
}
