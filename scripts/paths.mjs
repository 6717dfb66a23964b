// @ts-check
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The project's folder: the nearest one upwards with a package.json. Looked for, because this file
 * is also bundled into the tests under `out/`.
 */
function findProject() {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}

export const projectFolder = findProject();

/** Everything that is downloaded or made for running the extension; safe to delete. */
export const hostsFolder = path.join(projectFolder, '.vscode-test');

/** A small project that stands for a person's own. */
export const sampleProject = path.join(projectFolder, 'test', 'fixtures', 'workspace');
