// @ts-check

import { parseJson } from '../json.mjs';
import { leftovers } from './leftovers.mjs';
import { runWithMocha } from './mochaRun.mjs';

/** Runs one suite in a separate process, see mochaSuite.mjs. */
/** @type {Parameters<typeof runWithMocha>[0]} */
const order = parseJson(process.argv[2] ?? '');
const { failed } = await runWithMocha(order);
process.exitCode = failed.length === 0 ? 0 : 1;

// A test that leaves something running keeps this process alive: name it and fail.
setTimeout(() => {
  console.error(`The tests left something running: ${leftovers().join(', ')}`);
  process.exit(2);
}, 10_000).unref();
