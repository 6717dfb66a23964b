import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer } from '../../scripts/host/server.mjs';
import { projectFolder } from '../../scripts/paths.mjs';
import { runInWindow } from '../../scripts/tests/runInWindow.mjs';
import type { BenchAgent } from './agent';

/** What is measured inside the extension host. */
export interface InHost {
  /** An entry point of `test/bench/inHost`. */
  readonly entry: string;
  /** The folder for the profile and the figures. */
  readonly folder: string;
  /** The folder that the window opens. */
  readonly workspace: string;
  readonly agent: BenchAgent;
  readonly env?: Record<string, string>;
  readonly settings?: Record<string, unknown>;
}

/** Runs an entry point in the extension host of a window with one agent; the entry point writes its figures as JSON. */
export async function measureInHost<T>(options: InHost): Promise<T> {
  const { entry, folder, workspace, agent, env = {}, settings = {} } = options;
  const { command, args, protocol } = agent;
  const resultsFile = path.join(folder, 'figures.json');
  const bench = { title: 'Bench', command, args, env: agent.env, ...(protocol && { protocol }) };
  const server = await startServer({
    version: 'newest',
    dataFolder: path.join(folder, 'profile'),
    temporary: true,
    forTests: true,
    installed: false,
    folder: workspace,
    settings: { 'acpSessions.agents': { demo: null, bench }, ...settings },
    env: { ...env, ACP_SESSIONS_BENCH_RESULTS: resultsFile },
  });
  try {
    await runInWindow(server, path.join(projectFolder, 'out', 'benchInHost', `${entry}.js`));
  } finally {
    await server.stop();
  }
  return JSON.parse(await readFile(resultsFile, 'utf8')) as T;
}
