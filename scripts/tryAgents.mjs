// @ts-check
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from './paths.mjs';
import { browserHostPaths } from './setup/browserHost.mjs';
import { reportAndFail, setUp } from './setup/index.mjs';
import { runLogged, SetupError } from './setup/steps.mjs';
import { ensureTriedAgents } from './setup/triedAgents.mjs';

/** Runs a program that reaches only the loopback interface, whatever it starts. */
const withoutNetwork = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/**
 * Lets real agents, with a scripted model, use the editor's tools in a window; `npm run try:agents -- codex` tries only
 * this one.
 */
async function tryAgents() {
  await setUp({ hosts: ['newest'], browser: true });
  await ensureTriedAgents();
  await runLogged('build', process.execPath, ['esbuild.mjs', '--tests', 'agents'], {
    cwd: projectFolder,
  });
  const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const program = path.join('out', 'agents', 'tryAgents.main.mjs');
  const { nodeFolder } = browserHostPaths('newest');
  const { status, error } = spawnSync(
    'unshare',
    [...user, ...withoutNetwork, process.execPath, program, ...process.argv.slice(2)],
    {
      cwd: projectFolder,
      stdio: 'inherit',
      env: { ...process.env, PATH: `${nodeFolder}${path.delimiter}${process.env['PATH'] ?? ''}` },
    },
  );
  if (error) throw new SetupError(`This needs Linux with "unshare" and "ip": ${error.message}`);
  process.exitCode = status ?? 1;
}

tryAgents().catch(reportAndFail);
