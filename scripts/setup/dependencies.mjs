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

/** Whether `node_modules` matches package-lock.json, according to npm's own record. */
async function areDependenciesCurrent() {
  const wanted = await lockedPackages('package-lock.json');
  const installed = await lockedPackages('node_modules/.package-lock.json').catch(() => undefined);
  if (!installed) return false;
  return Object.entries(wanted).every(([name, { version, optional }]) => {
    const found = installed[name];
    // An optional package may be for another platform.
    return name === '' || (found ? found.version === version : optional === true);
  });
}

/** Installs the packages of package-lock.json if any is missing or differs. */
export async function ensureDependencies() {
  if (await areDependenciesCurrent()) return;
  announce('Installing npm packages (about half a minute)…');
  await runNpm('dependencies', ['ci'], { cwd: projectFolder });
}
