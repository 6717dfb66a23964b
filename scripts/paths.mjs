// @ts-check
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The project's folder: the nearest ancestor with a package.json. It is searched for because this
 * file is also bundled into the tests under `out/`.
 */
function findProject() {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}

export const projectFolder = findProject();

/** Everything that is downloaded or generated to run the extension; safe to delete. */
export const hostsFolder = path.join(projectFolder, '.vscode-test');

/** A small project that stands in for a user's own. */
export const sampleProject = path.join(projectFolder, 'test', 'fixtures', 'workspace');
