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
 * @property {string} dataFolder for its settings, state, logs and extensions; made when missing
 * @property {boolean} installed whether the extension is there as an installed one
 * @property {readonly string[]} [extensions] folders of others to install
 * @property {string} [folder] opened when an address names none
 * @property {number} [port] a free one when left out
 * @property {string} [token] what an address must carry to be let in; a random one when left out
 * @property {boolean} [trust] whether folders have to be trusted first
 * @property {Record<string, unknown>} [settings] user settings of a new data folder, besides the quiet ones
 * @property {Record<string, string>} [env] for the extension host
 * @property {boolean} [temporary] whether the data folder goes when the server goes
 */

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {string} dataFolder
 * @property {(query?: Record<string, string>) => string} address of a window
 * @property {() => string} output all that it has written
 * @property {Promise<number>} exited
 * @property {() => Promise<string[]>} stop as for a leash: names what outlived it
 */

/**
 * Starts VS Code's server on the loopback interface.
 *
 * @param {ServerOptions} options
 * @returns {Promise<Server>} once it listens; rejects with its output when it ends before
 */
export async function startServer(options) {
  const { version, dataFolder, folder, trust = false, env = {} } = options;
  const { token = randomBytes(12).toString('hex'), temporary = false } = options;
  await prepareDataFolder(options);
  // In a file: everyone on the machine can read the arguments of a program.
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
      ...['--telemetry-level', 'off', '--force-disable-user-env', '--enable-smoke-test-driver'],
      ...(trust ? [] : ['--disable-workspace-trust']),
      ...(folder ? ['--default-folder', folder] : []),
    ],
    remove: temporary ? [dataFolder] : [],
    // No gallery: nothing is looked up on the network.
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
  // Made anew each time: VS Code reads what is installed from a list of its own.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // VS Code reads what is about the machine, such as commands to start, from the machine's own settings.
  for (const scope of ['User', 'Machine']) {
    const settingsFile = path.join(dataFolder, scope, 'settings.json');
    // A folder that was used before keeps what the person has set there.
    if (existsSync(settingsFile)) continue;
    await mkdir(path.dirname(settingsFile), { recursive: true });
    await writeFile(settingsFile, JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
  }
  for (const extension of installed ? [projectFolder, ...extensions] : extensions) {
    await linkExtension(extension, folder);
  }
}

/**
 * A link, not a copy: after a build, "Reload Window" shows the new one.
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
