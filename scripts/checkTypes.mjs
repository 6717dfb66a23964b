// @ts-check
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from './paths.mjs';

/** Each folder with a `tsconfig.json`: what runs in a browser has other types than what runs in Node. */
const projects = ['.', 'src/webview', 'test/ui', 'test/bench', 'test/soak'];

// By its path: TypeScript 6, whose API other tools need, brings a program of the same name.
const tsc = path.join(projectFolder, 'node_modules', 'typescript-7', 'bin', 'tsc');

for (const project of projects) {
  const options = { cwd: projectFolder, stdio: /** @type {const} */ ('inherit') };
  const { status } = spawnSync(process.execPath, [tsc, '-p', project], options);
  if (status !== 0) process.exitCode = 1;
}
