// @ts-check
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseJson } from '../json.mjs';
import { processorTime, statOf } from './processorTime.mjs';

/** Names the file for the times in the environment of the processes that run tests. */
export const timesVariable = 'ACP_SESSIONS_TEST_TIMES';
/** Names the process whose processor time is taken, where it isn't the one that runs the tests. */
export const rootVariable = 'ACP_SESSIONS_TEST_ROOT';

/**
 * @typedef {object} Taken
 * @property {string} file
 * @property {string} [title] none for what a suite did after its last test
 * @property {number} whole milliseconds, with the hooks around it
 * @property {number} own without them
 * @property {number} processor milliseconds of processor time, also of the processes that were started
 */

let last = 0;
let lastProcessor = 0;

function processorNow() {
  const root = process.env[rootVariable];
  // To look at every process after each test would cost more than most tests do.
  if (root === undefined && !process.getActiveResourcesInfo().includes('ProcessWrap')) {
    const { own, ofChildren } = statOf(process.pid) ?? { own: 0, ofChildren: 0 };
    return own + ofChildren;
  }
  return processorTime(Number(root ?? process.pid));
}

/** @param {string | undefined} file @param {import('mocha').Test} [test] */
function take(file, test) {
  const now = performance.now();
  const processor = processorNow();
  /** @type {Taken} */
  const taken = {
    file: file ?? '',
    whole: now - last,
    own: test?.duration ?? 0,
    processor: Math.max(0, processor - lastProcessor),
  };
  if (test) taken.title = test.fullTitle();
  appendFileSync(process.env[timesVariable] ?? '', `${JSON.stringify(taken)}\n`);
  last = now;
  lastProcessor = processor;
}

/** Root hooks that write how long each test takes, and everything around it. */
export const mochaHooks = {
  /** @this {import('mocha').Context} */
  beforeAll() {
    last = performance.now();
    lastProcessor = processorNow();
    // Added last, so it runs after the suite's own hooks.
    for (const suite of this.test?.parent?.suites ?? []) suite.afterAll(() => take(suite.file));
  },
  /** @this {import('mocha').Context} */
  afterEach() {
    take(this.currentTest?.file, this.currentTest);
  },
};

/**
 * The slowest files and tests by processor time, otherwise by time, the slowest first.
 *
 * @param {string} file @param {number} count of each
 */
export function slowestIn(file, count) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  /** @type {Taken[]} */
  const all = lines.map((line) => parseJson(line));
  /** @type {Map<string, Taken>} */
  const files = new Map();
  for (const { file, whole, own, processor } of all) {
    const sum = files.get(file) ?? { file, whole: 0, own: 0, processor: 0 };
    sum.whole += whole;
    sum.own += own;
    sum.processor += processor;
    files.set(file, sum);
  }
  const tests = all.filter(({ title }) => title !== undefined);
  return [
    'Slowest files: seconds of processor time, seconds, and those of their hooks',
    ...slowest([...files.values()], count).map((each) => line(each, nameOf(each.file))),
    'Slowest tests',
    ...slowest(tests, count).map((each) => line(each, `${nameOf(each.file)}: ${each.title}`)),
  ].join('\n');
}

/** @param {Taken[]} all @param {number} count */
function slowest(all, count) {
  return all.sort((a, b) => b.processor - a.processor || b.whole - a.whole).slice(0, count);
}

/** @param {Taken} taken @param {string} name */
function line({ whole, own, processor }, name) {
  const seconds = (/** @type {number} */ time) => (time / 1000).toFixed(1).padStart(6);
  const hooks = Math.max(0, whole - own);
  return `${[processor, whole, hooks].map(seconds).join(' ')}  ${name}`;
}

/** @param {string} file */
function nameOf(file) {
  return path
    .relative(process.cwd(), file)
    .replace(/^out\//, '')
    .replace(/\.m?js$/, '');
}
