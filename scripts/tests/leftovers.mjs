// @ts-check
import { setTimeout } from 'node:timers/promises';

/** How long something that a test ends may take to be gone, in milliseconds. */
const patience = 10_000;

/** @type {string[]} */
let before = [];

/** Loaded by each process of a parallel run: fails a test file that leaves something running. */
export const mochaHooks = {
  async beforeAll() {
    before = await running();
  },
  async afterAll() {
    const end = Date.now() + patience;
    for (;;) {
      const left = without(await running(), before);
      if (left.length === 0) return;
      if (Date.now() > end) throw new Error(`The tests left something running: ${left.join(', ')}`);
      await setTimeout(100);
    }
  },
};

/** The resources that would keep this process alive, except for the pipes to its parent. */
export function leftovers() {
  return process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');
}

/**
 * After a macrotask, so that the timer that mocha sets for an asynchronous hook is always counted.
 */
async function running() {
  await setTimeout(0);
  return leftovers();
}

/** @param {string[]} names @param {readonly string[]} taken each removes one of the same name */
function without(names, taken) {
  const left = [...names];
  for (const name of taken) {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
  }
  return left;
}
