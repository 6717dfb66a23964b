// @ts-check
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../json.mjs';
import { projectFolder } from '../paths.mjs';
import { announce, runNpm } from './steps.mjs';

/** @typedef {Record<string, { version?: string, optional?: boolean }>} LockedPackages */

/** @param {string} file @returns {Promise<LockedPackages>} */
async function lockedPackages(file) {
  /** @type {{ packages: LockedPackages }} */
  const lock = parseJson(await readFile(path.join(projectFolder, file), 'utf8'));
  return lock.packages;
}

/** Whether `node_modules` holds what package-lock.json says, by npm's own record of it. */
async function areDependenciesCurrent() {
  const wanted = await lockedPackages('package-lock.json');
  const installed = await lockedPackages('node_modules/.package-lock.json').catch(() => undefined);
  if (!installed) return false;
  return Object.entries(wanted).every(([name, { version, optional }]) => {
    const found = installed[name];
    // An optional package may be one for another system.
    return name === '' || (found ? found.version === version : optional === true);
  });
}

/** Installs the packages of package-lock.json where they are missing or differ. */
export async function ensureDependencies() {
  if (await areDependenciesCurrent()) return;
  announce('Installing npm packages (about half a minute)…');
  await runNpm('dependencies', ['ci'], { cwd: projectFolder });
}
