// @ts-check
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { hostsFolder, projectFolder } from './paths.mjs';

/**
 * Folders with a `tsconfig.json`: what runs in a browser has other types than what runs in Node. `test/ui` takes
 * `test/bench` and `test/soak` along, and `test/unit/page` `test/unit/conversations`, which have the same types.
 */
const projects = ['.', 'src/webview', 'test/ui', 'test/unit/page'];

// By its path: TypeScript 6 brings a program of the same name. dependency-cruiser needs its API, which TypeScript 7 lacks
// (dependency-cruiser 18 can do without, but not in Node 20), and checks with it take five times as long.
const tsc = path.join(projectFolder, 'node_modules', 'typescript-7', 'bin', 'tsc');

for (const project of projects) {
  const options = { cwd: projectFolder, stdio: /** @type {const} */ ('inherit') };
  // What is known of files whose content, and that of all they import, is still the same.
  const known = path.join(hostsFolder, 'checks', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const args = [tsc, '-p', project, '--incremental', '--tsBuildInfoFile', known];
  const { status } = spawnSync(process.execPath, args, { ...options, stdio: 'ignore' });
  // It can repeat an error that is mended: https://github.com/microsoft/TypeScript/issues/64386
  if (status !== 0) {
    rmSync(known, { force: true });
    if (spawnSync(process.execPath, args, options).status !== 0) process.exitCode = 1;
  }
}
