// @ts-check
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseJson } from '../json.mjs';

/** Names the file for the times in the environment of the processes that run tests. */
export const timesVariable = 'ACP_SESSIONS_TEST_TIMES';

/**
 * @typedef {object} Taken
 * @property {string} file
 * @property {string} [title] none for what a suite did after its last test
 * @property {number} whole milliseconds, with the hooks around it
 * @property {number} own without them
 */

let last = 0;

/** @param {string | undefined} file @param {import('mocha').Test} [test] */
function take(file, test) {
  const now = performance.now();
  /** @type {Taken} */
  const taken = { file: file ?? '', whole: now - last, own: test?.duration ?? 0 };
  if (test) taken.title = test.fullTitle();
  appendFileSync(process.env[timesVariable] ?? '', `${JSON.stringify(taken)}\n`);
  last = now;
}

/** Root hooks that write how long each test takes, and everything around it. */
export const mochaHooks = {
  /** @this {import('mocha').Context} */
  beforeAll() {
    last = performance.now();
    // Added last, so it runs after the suite's own hooks.
    for (const suite of this.test?.parent?.suites ?? []) suite.afterAll(() => take(suite.file));
  },
  /** @this {import('mocha').Context} */
  afterEach() {
    take(this.currentTest?.file, this.currentTest);
  },
};

/**
 * The slowest files and tests, the slowest first.
 *
 * @param {string} file @param {number} count of each
 */
export function slowestIn(file, count) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  /** @type {Taken[]} */
  const all = lines.map((line) => parseJson(line));
  /** @type {Map<string, Taken>} */
  const files = new Map();
  for (const { file, whole, own } of all) {
    const sum = files.get(file) ?? { file, whole: 0, own: 0 };
    files.set(file, { file, whole: sum.whole + whole, own: sum.own + own });
  }
  const tests = all.filter(({ title }) => title !== undefined);
  return [
    'Slowest files: seconds, and those of their hooks',
    ...slowest([...files.values()], count).map((each) => line(each, nameOf(each.file))),
    'Slowest tests',
    ...slowest(tests, count).map((each) => line(each, `${nameOf(each.file)}: ${each.title}`)),
  ].join('\n');
}

/** @param {Taken[]} all @param {number} count */
function slowest(all, count) {
  return all.sort((a, b) => b.whole - a.whole).slice(0, count);
}

/** @param {Taken} taken @param {string} name */
function line({ whole, own }, name) {
  const seconds = (/** @type {number} */ time) => (time / 1000).toFixed(1).padStart(6);
  return `${seconds(whole)} ${seconds(Math.max(0, whole - own))}  ${name}`;
}

/** @param {string} file */
function nameOf(file) {
  return path
    .relative(process.cwd(), file)
    .replace(/^out\//, '')
    .replace(/\.m?js$/, '');
}
