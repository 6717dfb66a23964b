// @ts-check
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { hostsFolder } from '../paths.mjs';

/** Something that the developer has to do; the message is one self-contained line. */
export class SetupError extends Error {}

/** Prints one line, for a step that takes time. @param {string} text */
export function announce(text) {
  console.log(text);
}

/**
 * Runs a program and appends its output to `.vscode-test/<log>.log`.
 *
 * @param {string} log
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>} rejects with a SetupError that has the last lines and the log's path
 */
export async function runLogged(log, command, args, options = {}) {
  await mkdir(hostsFolder, { recursive: true });
  const file = path.join(hostsFolder, `${log}.log`);
  const sink = createWriteStream(file, { flags: 'a' });
  sink.write(`\n> ${[command, ...args].join(' ')}\n`);
  let tail = '';
  /** @type {number | null} */
  const code = await new Promise((resolve) => {
    const child = spawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm is a script on Windows; it is passed only constants.
      shell: process.platform === 'win32' && command === 'npm',
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.pipe(sink, { end: false });
      stream.on('data', (chunk) => {
        tail = (tail + String(chunk)).slice(-2_000);
      });
    }
    child.on('error', (error) => {
      tail += error.message;
      sink.write(`${error.message}\n`);
      resolve(-1);
    });
    child.on('close', resolve);
  });
  await new Promise((resolve) => sink.end(resolve));
  if (code !== 0) {
    const lastLines = tail.trimEnd().split('\n').slice(-20).join('\n');
    throw new SetupError(`${lastLines}\n"${command} ${args.join(' ')}" failed. Full log: ${file}`);
  }
}

/**
 * @param {string} log
 * @param {readonly string[]} args
 * @param {{ cwd: string, nodeFolder?: string, env?: NodeJS.ProcessEnv }} options `nodeFolder`: the
 * folder of the Node to run npm and its builds with
 */
export async function runNpm(log, args, { cwd, nodeFolder, env = {} }) {
  const searchPath = [...(nodeFolder ? [nodeFolder] : []), process.env['PATH'] ?? ''];
  await runLogged(log, 'npm', args, {
    cwd,
    env: { ...process.env, ...env, PATH: searchPath.join(path.delimiter) },
  });
}
