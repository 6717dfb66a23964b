// @ts-check
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from './paths.mjs';
import { reportAndFail, setUp } from './setup/index.mjs';
import { runLogged } from './setup/steps.mjs';

/**
 * Measures the shipped bundles end to end and prints one table; `npm run bench -- <name>` limits it to the rows of that
 * name.
 */
async function bench() {
  await setUp({ hosts: ['newest'], browser: true });
  await runLogged('build', process.execPath, ['esbuild.mjs', '--tests', 'bench', '--production'], {
    cwd: projectFolder,
  });
  const program = path.join('out', 'bench', 'bench.main.mjs');
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
    cwd: projectFolder,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

bench().catch(reportAndFail);
