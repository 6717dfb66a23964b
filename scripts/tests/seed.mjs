// @ts-check
import { randomInt } from 'node:crypto';

/** Repeats a run of properties: all processes of a run get the same. */
export const seedVariable = 'ACP_SESSIONS_SEED';

/** The given seed, or a new one. @param {NodeJS.ProcessEnv} env */
export function seedOf(env) {
  return env[seedVariable] || String(randomInt(2 ** 31));
}

/** What a run prints of its seed: what to set to repeat it. @param {string} seed */
export function lineOf(seed) {
  return `Properties: ${seedVariable}=${seed}`;
}
