import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { type FakeAgentCommand, fakeAgent } from '../fakeAgent/scenario';
import { tarGzipOf } from '../support/archives';
import { entry, RegistryServer, registryOf } from '../support/registryServer';
import { openSessionsView, runCommand } from '../ui/harness/window';
import { inWindow } from './inWindow';
import { modelOf } from './modelRows';
import { rowsOf, timesOfKeys, timeToList } from './quickInput';
import { interleaved, median, percentile } from './statistics';
import type { TableRow } from './table';

const rounds = 9;
const entryCount = 100;

/** The registry: its list, and the start of an agent of it that was downloaded before. */
export async function registryRows(): Promise<readonly TableRow[]> {
  return [...(await listRows()), await npxRow()];
}

/** "Add Agent…" with a list that was read before. */
async function listRows(): Promise<readonly TableRow[]> {
  const server = await RegistryServer.start();
  const ids = Array.from({ length: entryCount }, (_, at) => `poet-${String(at).padStart(3, '0')}`);
  server.serve(registryOf(...ids.map((id) => entry(id))));
  const { command, args, env } = fakeAgent();
  try {
    return await inWindow(
      () => ({ command, args, env }),
      async ({ page }) => {
        await openSessionsView(page);
        const listed = `Agent ${ids[0]}`;
        const open = (title: string, text: string): Promise<number> =>
          timeToList(page, 'click', text, 'any', () => runCommand(page, title));
        // Reads the registry.
        await open('ACP Sessions: Add Agent', listed);
        await page.keyboard.press('Escape');
        const { a, b } = await interleaved(
          rounds,
          async () => {
            const time = await open('Open Plain Picker', 'Session -0');
            await page.keyboard.press('Escape');
            return time;
          },
          async () => {
            const time = await open('ACP Sessions: Add Agent', listed);
            await page.keyboard.press('Escape');
            return time;
          },
        );
        await runCommand(page, 'ACP Sessions: Add Agent');
        await rowsOf(page).filter({ hasText: listed }).waitFor();
        const keys: number[] = [];
        for (let round = 0; round < 5 * rounds; round++) {
          keys.push(...(await timesOfKeys(page, '75')));
        }
        await page.keyboard.press('Escape');
        return [openedRow(median(a), median(b)), keystrokeRow(keys)];
      },
      [],
      { 'acpSessions.registry': server.address },
    );
  } finally {
    await server.close();
  }
}

function openedRow(plain: number, own: number): TableRow {
  return {
    what: `Add Agent… opened, ${entryCount} entries, read before`,
    limit: '< 100 ms',
    measured: `${Math.round(own)} ms; a list that looks for nothing ${Math.round(plain)} ms`,
    met: own < 100,
  };
}

function keystrokeRow(times: readonly number[]): TableRow {
  const p95 = percentile(times, 95);
  return {
    what: '… keystroke to filtered list, 95 of 100',
    limit: '< 50 ms',
    measured: `${Math.round(p95)} ms (median ${Math.round(median(times))} ms)`,
    met: p95 < 50,
  };
}

/** Measures a command started bare and by the extension's model, until it has answered `initialize`. */
async function npxRow(): Promise<TableRow> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-'));
  const server = await RegistryServer.start();
  servePackage(server);
  const command: FakeAgentCommand = {
    command: 'npx',
    args: ['--yes', '--', `${packageName}@1.0.0`],
    env: {
      npm_config_registry: server.origin,
      npm_config_cache: folder,
      npm_config_update_notifier: 'false',
      npm_config_userconfig: path.join(folder, 'npmrc'),
    },
  };
  try {
    // Downloads it.
    await startBare(command);
    const runs = await interleaved(
      rounds,
      () => startBare(command),
      () => startInModel(command),
    );
    const [bare, own] = [median(runs.a), median(runs.b)];
    return {
      what: 'an agent that npx has cached: started and initialized',
      limit: '≤ 1.2 × the same command alone',
      measured: `${(own / bare).toFixed(2)} × (${Math.round(own)} ms, alone ${Math.round(bare)} ms)`,
      met: own <= 1.2 * bare,
    };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const packageName = 'bench-agent';

/** Serves a package whose program is the fake agent. */
function servePackage(server: RegistryServer): void {
  const [file = '', ...args] = fakeAgent().args;
  const program = `#!/usr/bin/env node
process.argv.push(...${JSON.stringify(args)});
import(${JSON.stringify(pathToFileURL(file).href)});
`;
  const manifest = { name: packageName, version: '1.0.0', bin: { [packageName]: 'agent.js' } };
  const archive = tarGzipOf(
    { name: 'package/package.json', content: JSON.stringify(manifest) },
    { name: 'package/agent.js', content: program, mode: 0o755 },
  );
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  server.answer = ({ url }, response) => {
    if (url?.endsWith('.tgz') === true) {
      response.end(archive);
      return;
    }
    const tarball = `${server.origin}/${packageName}.tgz`;
    const versions = { '1.0.0': { ...manifest, dist: { tarball, integrity } } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: packageName, 'dist-tags': { latest: '1.0.0' }, versions }));
  };
}

/** Milliseconds. */
async function startBare({ command, args, env }: FakeAgentCommand): Promise<number> {
  const started = performance.now();
  const child: ChildProcess = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  if (!child.stdin || !child.stdout || child.pid === undefined) {
    throw new Error('npx could not be started');
  }
  const initialize = { protocolVersion: 1, clientCapabilities: {} };
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize })}\n`,
  );
  await once(createInterface({ input: child.stdout }), 'line');
  const milliseconds = performance.now() - started;
  const exited = once(child, 'exit');
  process.kill(-child.pid);
  await exited;
  return milliseconds;
}

/** Milliseconds. */
async function startInModel(command: FakeAgentCommand): Promise<number> {
  const { agents } = modelOf(command);
  try {
    const started = performance.now();
    await agents.all[0]?.connect();
    return performance.now() - started;
  } finally {
    await agents.close();
  }
}
