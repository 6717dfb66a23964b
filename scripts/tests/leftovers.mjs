// @ts-check
import { setTimeout } from 'node:timers/promises';

/** As long as what a test ends may take to be gone, in ms. */
const patience = 10_000;

/** @type {string[]} */
let before = [];

/** Loaded by each process of several jobs: a file of tests that leaves something running fails. */
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

/** What would keep this process alive, besides the pipes to the one that started it. */
export function leftovers() {
  return process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');
}

/** In any hook with the one timer that mocha sets as soon as it waits for that hook. */
async function running() {
  await setTimeout(0);
  return leftovers();
}

/** @param {string[]} names @param {readonly string[]} taken each takes away one of its name */
function without(names, taken) {
  const left = [...names];
  for (const name of taken) {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
  }
  return left;
}
