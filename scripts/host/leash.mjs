// @ts-check
import { spawn } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '../paths.mjs';

const leashProgram = path.join(projectFolder, 'scripts', 'host', 'leashProgram.mjs');

/**
 * @typedef {object} LeashOrder the order to leashProgram.mjs
 * @property {string} command
 * @property {readonly string[]} args
 * @property {readonly string[]} remove folders to delete after everything has ended
 * @property {number} [patience] how long programs in groups of their own may outlive it, in milliseconds
 */

/**
 * @typedef {object} Leashed
 * @property {import('node:stream').Readable} output its stdout and stderr
 * @property {Promise<number>} exited its exit code, once it has ended
 * @property {() => Promise<string[]>} stop ends it and everything it started; resolves with the command lines of those
 * that had to be killed because they outlived it
 */

/**
 * Starts a program in a separate process group that ends with this process, however this process
 * ends: a helper between the two notices when it is gone.
 *
 * @param {LeashOrder & { env: NodeJS.ProcessEnv }} order
 * @returns {Leashed}
 */
export function startOnLeash({ env, ...order }) {
  const helper = spawn(process.execPath, [leashProgram, JSON.stringify(order)], {
    env,
    // Outside the terminal's foreground group: Ctrl+C reaches only this process, which then ends
    // the program in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  /** @type {string[]} */
  let survivors = [];
  helper.on('message', (message) => {
    survivors = /** @type {string[]} */ (message);
  });
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => {
    helper.on('exit', (code) => resolve(code ?? 1));
  });
  const output = /** @type {import('node:stream').Readable} */ (helper.stdout);
  return {
    output,
    exited,
    stop: async () => {
      if (helper.connected) helper.send('stop');
      await exited;
      return survivors;
    },
  };
}
