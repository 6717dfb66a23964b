// @ts-check
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { projectFolder } from '../paths.mjs';

/** The path of a file relative to the project's folder, as in esbuild's metafile. @param {string} file */
export function inProject(file) {
  return path.relative(projectFolder, file).split(path.sep).join('/');
}

/** The bundled tests of a suite. @param {string} suite @returns {Promise<string[]>} relative to the project's folder */
export async function findTests(suite) {
  const folder = path.join(projectFolder, 'out', suite);
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  return entries
    .filter((entry) => /\.test\.m?js$/.test(entry))
    .sort()
    .map((entry) => inProject(path.join(folder, entry)));
}
