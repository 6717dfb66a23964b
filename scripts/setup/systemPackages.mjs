// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { announce, runLogged, SetupError } from './steps.mjs';

/** The path of a program on the PATH. @param {string} name @returns {string | undefined} */
export function findOnPath(name) {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .flatMap((folder) => suffixes.map((suffix) => path.join(folder, name + suffix)))
    .find((file) => existsSync(file));
}

/**
 * Installs Debian or Ubuntu packages if possible.
 *
 * @param {readonly string[]} packages
 * @param {string} otherwise one sentence on what to do on any other system
 * @returns {Promise<void>} rejects with a one-line SetupError if it isn't possible
 */
export async function installSystemPackages(packages, otherwise) {
  if (!findOnPath('apt-get')) throw new SetupError(otherwise);
  if (process.getuid?.() !== 0) {
    throw new SetupError(`Run this first: sudo apt-get install --yes ${packages.join(' ')}`);
  }
  announce(`Installing ${packages.join(', ')} with apt-get (about 1 minute)…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runLogged('apt-get', 'apt-get', ['update'], { env });
  await runLogged(
    'apt-get',
    'apt-get',
    ['install', '--yes', '--no-install-recommends', ...packages],
    {
      env,
    },
  );
}

/** Whether this user could install this package of Debian or Ubuntu, as far as the machine knows. @param {string} name */
export function offersPackage(name) {
  if (process.getuid?.() !== 0 || !findOnPath('apt-cache')) return false;
  try {
    execFileSync('apt-cache', ['show', name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Installs a compiler for the native modules of VS Code's server. */
export async function ensureCompiler() {
  const missing = ['python3', 'make', 'g++'].filter((tool) => !findOnPath(tool));
  if (missing.length === 0) return;
  const advice =
    process.platform === 'darwin'
      ? 'Run this first: xcode-select --install'
      : `Install ${missing.join(', ')} first: VS Code's server has native modules.`;
  await installSystemPackages(missing, advice);
}
