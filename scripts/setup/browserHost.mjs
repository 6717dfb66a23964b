// @ts-check
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../json.mjs';
import { hostsFolder } from '../paths.mjs';
import { hostVersions, ripgrepVersion, watcherVersion } from '../versions.mjs';
import { announce, runLogged, runNpm, SetupError } from './steps.mjs';
import { ensureCompiler } from './systemPackages.mjs';

/** @typedef {import('../versions.mjs').VersionName} VersionName */

/**
 * The paths of an installed VS Code for the browser, or of one still to be installed. The folder's
 * name includes the version and the folder appears atomically, so if it exists it is complete and
 * current.
 *
 * @param {VersionName} name
 */
export function browserHostPaths(name) {
  return pathsIn(path.join(hostsFolder, `vscode-${hostVersions[name].vscode}`));
}

/** @param {string} folder */
function pathsIn(folder) {
  const server = path.join(folder, 'server', 'node_modules', 'code-server', 'lib', 'vscode');
  return {
    folder,
    nodeFolder: path.join(folder, 'node', 'node_modules', '.bin'),
    node: path.join(folder, 'node', 'node_modules', '.bin', 'node'),
    server,
    serverMain: path.join(server, 'out', 'server-main.js'),
  };
}

/** Installs VS Code for the browser if it is missing. @param {VersionName} name */
export async function ensureBrowserHost(name) {
  const { folder } = browserHostPaths(name);
  if (existsSync(folder)) return;
  if (process.platform === 'win32') {
    throw new SetupError(
      'VS Code for the browser needs Linux or macOS. On Windows, install desktop VS Code with "code" on the PATH, and run ' +
        '"npm start", "npm run test:unit" and "npm run test:desktop".',
    );
  }
  await ensureCompiler();
  const { vscode } = hostVersions[name];
  announce(`Installing VS Code ${vscode} for the browser (once, about 2 minutes)…`);
  await removeAbandoned();
  const partial = `${folder}.partial-${process.pid}`;
  await mkdir(partial, { recursive: true });
  try {
    await install(name, partial, `vscode-${vscode}`);
    await rename(partial, folder).catch((/** @type {unknown} */ error) => {
      // Another run finished first.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Removes what interrupted runs have left behind. */
async function removeAbandoned() {
  for (const entry of await readdir(hostsFolder).catch(() => [])) {
    const pid = /\.partial-(\d+)$/.exec(entry)?.[1];
    if (pid && !isAlive(Number(pid))) {
      await rm(path.join(hostsFolder, entry), { recursive: true, force: true });
    }
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** @param {VersionName} name @param {string} folder @param {string} log */
async function install(name, folder, log) {
  const { node, codeServer } = hostVersions[name];
  const { nodeFolder, server, node: nodeProgram } = pathsIn(folder);
  await installPackage(log, path.join(folder, 'node'), `node@${node}`);
  await installPackage(log, path.join(folder, 'server'), `code-server@${codeServer}`, {
    nodeFolder,
    scripts: false,
  });
  await replaceWatcherFork(server);
  await runNpm(log, ['install', '--omit=dev', '--ignore-scripts'], { cwd: server, nodeFolder });
  await supplyRipgrep(log, folder, server);
  await buildNativeModules(log, folder, server);
  await runLogged(log, nodeProgram, ['-e', 'require("@vscode/spdlog")'], { cwd: server });
}

/**
 * @param {string} log
 * @param {string} folder the folder to create for it
 * @param {string} specifier
 * @param {{ nodeFolder?: string, scripts?: boolean }} [options]
 */
async function installPackage(log, folder, specifier, { nodeFolder, scripts = true } = {}) {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  await runNpm(log, ['install', ...(scripts ? [] : ['--ignore-scripts']), specifier], {
    cwd: folder,
    ...(nodeFolder ? { nodeFolder } : {}),
  });
}

/**
 * VS Code 1.106 depends on a fork of its file watcher, pinned to a commit on a code host. The
 * release that the fork is based on works as well and comes from the registry like everything else.
 *
 * @param {string} server
 */
async function replaceWatcherFork(server) {
  const watcher = '@parcel/watcher';
  const manifestFile = path.join(server, 'package.json');
  /** @type {{ dependencies: Record<string, string> }} */
  const manifest = parseJson(await readFile(manifestFile, 'utf8'));
  if (!manifest.dependencies[watcher]?.includes('#')) return;
  manifest.dependencies[watcher] = watcherVersion;
  await writeFile(manifestFile, JSON.stringify(manifest, undefined, 2));

  const lockFile = path.join(server, 'npm-shrinkwrap.json');
  /** @type {{ packages: Record<string, typeof manifest> }} */
  const lock = parseJson(await readFile(lockFile, 'utf8'));
  const others = Object.entries(lock.packages).filter(([name]) => !name.endsWith(`/${watcher}`));
  const top = { ...lock.packages[''], dependencies: manifest.dependencies };
  const packages = { ...Object.fromEntries(others), '': top };
  await writeFile(lockFile, JSON.stringify({ ...lock, packages }, undefined, 2));
}

/**
 * VS Code 1.106 downloads ripgrep, its file search, in an install script; later versions include it
 * in the package.
 *
 * @param {string} log
 * @param {string} folder
 * @param {string} server
 */
async function supplyRipgrep(log, folder, server) {
  const ripgrep = path.join(server, 'node_modules', '@vscode', 'ripgrep');
  if (!existsSync(ripgrep)) return;
  const spare = path.join(folder, 'ripgrep');
  await installPackage(log, spare, `@vscode/ripgrep-universal@${ripgrepVersion}`, {
    scripts: false,
  });
  const programs = path.join(spare, 'node_modules', '@vscode', 'ripgrep-universal', 'bin');
  await mkdir(path.join(ripgrep, 'bin'), { recursive: true });
  await copyFile(
    path.join(programs, `${process.platform}-${process.arch}`, 'rg'),
    path.join(ripgrep, 'bin', 'rg'),
  );
  await rm(spare, { recursive: true });
}

/**
 * The server needs native modules to write its logs (and with them every output channel), to watch
 * its parent process and for terminals. Later versions ship the terminal module prebuilt.
 *
 * @param {string} log
 * @param {string} folder
 * @param {string} server
 */
async function buildNativeModules(log, folder, server) {
  const installed = path.join(server, 'node_modules');
  const modules = ['@vscode/spdlog', '@vscode/native-watchdog', 'native-watchdog'].filter((name) =>
    existsSync(path.join(installed, name)),
  );
  if (!existsSync(path.join(installed, 'node-pty', 'prebuilds', `linux-${process.arch}`))) {
    modules.push('node-pty');
  }
  // Avoids a download, and the headers of another Node that npm may be configured with.
  const headers = await findNodeHeaders(folder);
  await runNpm(log, ['rebuild', ...modules], {
    cwd: server,
    nodeFolder: pathsIn(folder).nodeFolder,
    env: headers ? { npm_config_nodedir: headers } : {},
  });
}

/** The package of the host's Node includes its headers. @param {string} folder */
async function findNodeHeaders(folder) {
  const packages = path.join(folder, 'node', 'node_modules', 'node', 'node_modules');
  const names = await readdir(packages).catch(() => []);
  return names
    .map((name) => path.join(packages, name))
    .find((candidate) => existsSync(path.join(candidate, 'include', 'node', 'node.h')));
}
