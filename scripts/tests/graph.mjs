// @ts-check
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../json.mjs';
import { projectFolder } from '../paths.mjs';

/**
 * @typedef {object} Graph what the bundles of tests are made of; all paths are relative to the project's folder
 * @property {Record<string, string[]>} modules each with those that it imports, also those that aren't needed in the end
 * @property {Record<string, string>} programs the first module of each bundle, by the bundle's path
 */

const graphFile = path.join(projectFolder, 'out', 'graph.json');

/** Records what a build made. @param {readonly import('esbuild').Metafile[]} metafiles */
export async function keepGraph(metafiles) {
  await mkdir(path.dirname(graphFile), { recursive: true });
  await writeFile(graphFile, JSON.stringify(graphOf(metafiles)));
}

/** @returns {Promise<Graph>} */
export async function lastGraph() {
  return parseJson(await readFile(graphFile, 'utf8'));
}

/** @param {readonly import('esbuild').Metafile[]} metafiles @returns {Graph} */
function graphOf(metafiles) {
  /** @type {Graph} */
  const graph = { modules: {}, programs: {} };
  for (const { inputs, outputs } of metafiles) {
    for (const [file, { imports }] of Object.entries(inputs)) {
      const imported = imports.filter(({ external }) => !external).map((each) => each.path);
      // Builds can resolve an import to different modules.
      graph.modules[file] = [...new Set([...(graph.modules[file] ?? []), ...imported])];
    }
    for (const [file, { entryPoint }] of Object.entries(outputs)) {
      if (entryPoint !== undefined) graph.programs[file] = entryPoint;
    }
  }
  return graph;
}

/** A module with all that it imports, directly or not. @param {Graph} graph @param {string} module */
export function closureOf({ modules }, module) {
  const found = new Set([module]);
  // What is added while a set is walked is walked, too.
  for (const each of found) for (const next of modules[each] ?? []) found.add(next);
  return found;
}
