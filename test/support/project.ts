import path from 'node:path';
import { projectFolder } from '../../scripts/paths.mjs';

/**
 * The path of a file or folder of the project. Tests run in an empty folder, so there is no other way to one: from the
 * names that are given here, `scripts/tests/inputs.mjs` knows what a test file depends on. A name that isn't a literal
 * stands for the whole project.
 */
export function inProject(name: string): string {
  return path.join(projectFolder, name);
}
