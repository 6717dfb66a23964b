// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/** Of a unit of time in `/proc`, on all machines of today. */
const milliseconds = 10;

/**
 * @typedef {object} Spent
 * @property {number} parent its process ID
 * @property {number} time ticks of the process, and of its children that ended
 */

/**
 * Milliseconds of processor time that a process and everything that it started has taken so far, ended or not; 0 where
 * the system doesn't tell it (only Linux does). What outlives its parent doesn't count.
 *
 * @param {number} root a process ID
 */
export function processorTime(root) {
  const all = spentByAll();
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const [pid, { parent }] of all) {
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  let sum = 0;
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    sum += all.get(pid)?.time ?? 0;
    waiting.push(...(children.get(pid) ?? []));
  }
  return sum * milliseconds;
}

function spentByAll() {
  /** @type {Map<number, Spent>} */
  const all = new Map();
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const spent = /^\d+$/.test(name) ? spentBy(name) : undefined;
    if (spent !== undefined) all.set(Number(name), spent);
  }
  return all;
}

/** @param {string} pid @returns {Spent | undefined} */
function spentBy(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, parent] = fields;
    const [user, system, ofUser, ofSystem] = fields.slice(11).map(Number);
    const time = (user ?? 0) + (system ?? 0) + (ofUser ?? 0) + (ofSystem ?? 0);
    return { parent: Number(parent), time };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
