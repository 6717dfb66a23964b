// @ts-check
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from './paths.mjs';

/** Each folder with a `tsconfig.json`: what runs in a browser has other types than what runs in Node. */
const projects = ['.', 'src/webview', 'test/ui', 'test/unit/page', 'test/bench', 'test/soak'];

// By its path: TypeScript 6 brings a program of the same name. dependency-cruiser needs its API, which TypeScript 7 lacks
// (dependency-cruiser 18 can do without, but not in Node 20), and checks with it take five times as long.
const tsc = path.join(projectFolder, 'node_modules', 'typescript-7', 'bin', 'tsc');

for (const project of projects) {
  const options = { cwd: projectFolder, stdio: /** @type {const} */ ('inherit') };
  const { status } = spawnSync(process.execPath, [tsc, '-p', project], options);
  if (status !== 0) process.exitCode = 1;
}
