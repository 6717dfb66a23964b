// @ts-check
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseJson } from '../json.mjs';

/**
 * Runs one program and briefly outlives it, see leash.mjs. Ends the program when its starter asks
 * for it or is gone, then ends whatever the program left running, then deletes the given folders.
 */

const mark = `ACP_SESSIONS_LEASH=${randomUUID()}`;
const [name = '', value = ''] = mark.split('=');

/** @type {import('./leash.mjs').LeashOrder} */
const { command, args, remove, patience = 4_000 } = parseJson(process.argv[2] ?? '');
const child = spawn(command, args, {
  env: { ...process.env, [name]: value },
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
});
// One stream, to preserve the order of the lines.
child.stdout.pipe(process.stdout, { end: false });
child.stderr.pipe(process.stdout, { end: false });
// Nobody reads the output once the starter is gone.
process.stdout.on('error', () => child.stdout.unpipe());

let ending = false;
function end() {
  if (ending) return;
  ending = true;
  void endInOrder();
}

async function endInOrder() {
  signal(child.pid, 'SIGTERM');
  await waitUntil(() => !isGroupAlive(), 8_000);
  signal(groupId(), 'SIGKILL');
  // Programs in their own process groups, such as agents, notice that their host is gone.
  await waitUntil(async () => (await marked()).length === 0, patience);
  const survivors = await marked();
  for (const { pid } of survivors) signal(pid, 'SIGKILL');
  for (const folder of remove) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  if (process.connected) {
    await new Promise((resolve) =>
      process.send?.(
        survivors.map(({ line }) => line),
        resolve,
      ),
    );
    process.disconnect();
  }
  // No exit code means that a signal ended it: ours, or a crash.
  process.exit(child.exitCode ?? (child.signalCode === 'SIGTERM' ? 0 : 1));
}

process.on('message', end);
process.on('disconnect', end);
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, end);
child.on('exit', end);
child.on('error', (error) => {
  process.stdout.write(`${error.message}\n`);
  end();
});

function groupId() {
  return child.pid === undefined ? undefined : -child.pid;
}

/** @param {number | undefined} pid @param {NodeJS.Signals | 0} signalName */
function signal(pid, signalName) {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, signalName);
  } catch {
    return false;
  }
}

function isGroupAlive() {
  return signal(groupId(), 0);
}

/** @param {() => boolean | Promise<boolean>} isDone @param {number} limit milliseconds */
async function waitUntil(isDone, limit) {
  const deadline = Date.now() + limit;
  while (Date.now() < deadline && !(await isDone())) await wait(50);
}

/** The processes that inherited our mark. Works on Linux only. */
async function marked() {
  const pids = (await readdir('/proc').catch(() => [])).filter((entry) => /^\d+$/.test(entry));
  const found = await Promise.all(
    pids.map(async (entry) => {
      const environment = await readFile(`/proc/${entry}/environ`, 'utf8').catch(() => '');
      if (!environment.split('\0').includes(mark)) return [];
      const line = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
      return [{ pid: Number(entry), line: line.replaceAll('\0', ' ').trim() }];
    }),
  );
  return found.flat();
}
