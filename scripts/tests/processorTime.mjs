// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/** The clock tick of Linux, in milliseconds. */
const tick = 10;

/**
 * @typedef {object} ProcessStat
 * @property {number} parent its process ID
 * @property {number} own milliseconds of processor time that it has taken so far
 * @property {number} ofChildren of those that have ended, and of theirs
 */

/** A process; `undefined` if it has ended. Linux only. @param {number} pid @returns {ProcessStat | undefined} */
export function statOf(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The fields after the program's name, which may contain spaces: state, parent, …
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const number = (/** @type {number} */ index) => Number(fields[index]);
  return {
    parent: number(1),
    own: (number(11) + number(12)) * tick,
    ofChildren: (number(13) + number(14)) * tick,
  };
}

/**
 * Milliseconds of processor time that a process and everything that it started has taken so far, ended or not; 0 where
 * the system doesn't tell it (only Linux does). What outlives its parent doesn't count.
 *
 * @param {number} root a process ID
 */
export function processorTime(root) {
  const pids = process.platform === 'linux' ? readdirSync('/proc').map(Number) : [];
  /** @type {Map<number, ProcessStat>} */
  const stats = new Map();
  for (const pid of pids) {
    const stat = pid > 0 ? statOf(pid) : undefined;
    if (stat !== undefined) stats.set(pid, stat);
  }
  let sum = 0;
  for (const [pid, { own, ofChildren }] of stats) {
    let at = pid;
    while (at > 1 && at !== root) at = stats.get(at)?.parent ?? 0;
    if (at === root) sum += own + ofChildren;
  }
  return sum;
}
