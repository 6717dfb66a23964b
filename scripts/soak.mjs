// @ts-check
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from './paths.mjs';
import { reportAndFail, setUp } from './setup/index.mjs';
import { runLogged } from './setup/steps.mjs';

/** Attacks every part for a few minutes and prints one table; `npm run soak -- --only <part>` limits it to one part. */
async function soak() {
  await setUp({ hosts: [], browser: true });
  await runLogged('build', process.execPath, ['esbuild.mjs', '--tests', 'soak'], {
    cwd: projectFolder,
  });
  const program = path.join('out', 'soak', 'soak.main.mjs');
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
    cwd: projectFolder,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

soak().catch(reportAndFail);
