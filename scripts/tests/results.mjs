// @ts-check
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseJson } from '../json.mjs';
import { inProject } from './bundles.mjs';

/**
 * @typedef {object} Results the outcome of a suite
 * @property {string[]} passed titles
 * @property {string[]} failed titles
 * @property {string[]} skipped titles, with the reason where there is one
 * @property {string[]} [unsteady] titles of tests, counted as passed, that failed at the first attempt
 * @property {Record<string, { passed: number, others: number }>} [files] how many tests of each file passed and how many
 * didn't; none if something failed that is in no file
 * @property {Unchanged} [unchanged] what didn't run, as nothing that it depends on has changed since it passed
 *
 * @typedef {object} Unchanged
 * @property {readonly string[]} files
 * @property {readonly string[]} others the files that ran
 * @property {number} tests counted as passed
 */

/** A suite that could not run. @param {string} reason @returns {Results} */
export function failedToRun(reason) {
  return { passed: [], failed: [reason], skipped: [] };
}

/** A suite that can't run here. @param {string} reason @returns {Results} */
export function skippedAsAWhole(reason) {
  return { passed: [], failed: [], skipped: [reason] };
}

/**
 * Gives a run a temporary file for its results, and reads them afterward.
 *
 * @param {(resultsFile: string) => Promise<string | undefined>} run resolves with a description of
 * a failure other than a failed test
 * @returns {Promise<Results>}
 */
export async function withResultsFile(run) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-results-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const resultsFile = path.join(folder, 'results.json');
    const trouble = await run(resultsFile);
    const text = await readFile(resultsFile, 'utf8').catch(() => undefined);
    if (text === undefined) return failedToRun(trouble ?? 'it ended without results');
    /** @type {Results} */
    const results = parseJson(text);
    const { files, ...rest } = results;
    // Nobody knows which of its files a trouble is about.
    if (trouble) return { ...rest, failed: [...results.failed, trouble] };
    if (!files) return rest;
    /** @type {NonNullable<Results['files']>} */
    const named = {};
    for (const [file, counts] of Object.entries(files)) named[inProject(file)] = counts;
    return { ...rest, files: named };
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** With more failures, a second attempt would only take time. */
const maxToRunAgain = 10;

/** The title of a hook that failed, with which mocha ends its suite, whose title is the first group. */
const failedHook = /^(.*) "(?:before|after) (?:all|each)" hook(?:: \w+)?(?: for ".*")?$/s;

/**
 * The failed tests that are worth a second attempt, alone: on a busy machine a window can be too slow for a test. All
 * tests of a suite in which a hook failed are among them, as some of them never began.
 *
 * @param {Results} first
 * @returns {string | undefined} a regular expression over whole titles; none if there is nothing to repeat
 */
export function worthRunningAgain({ failed }) {
  if (failed.length === 0 || failed.length > maxToRunAgain) return undefined;
  const patterns = failed.map((title) => {
    const suite = suiteOf(title);
    return suite === undefined ? escape(title) : `${escape(suite)} .*`;
  });
  return `^(?:${patterns.join('|')})$`;
}

/** @param {string} title */
function escape(title) {
  return title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * A test that passes at its second attempt counts as passed, but is reported as unsteady. If the second attempt didn't
 * run exactly the failed tests, as when a hook or the whole process failed, everything stays failed.
 *
 * @param {Results} first @param {Results} again @returns {Results}
 */
export function afterSecondAttempt(first, again) {
  const suites = first.failed.flatMap((title) => suiteOf(title) ?? []);
  const isOfSuite = (/** @type {string} */ title) =>
    suites.some((each) => title.startsWith(`${each} `));
  const tests = first.failed.length - suites.length;
  const count = again.passed.length + again.failed.length;
  const hasRun = suites.length > 0 ? count > tests : count === tests;
  if (!hasRun || !again.failed.every((title) => first.failed.includes(title) || isOfSuite(title)))
    return first;
  const unsteady = first.failed.filter((title) => {
    const suite = suiteOf(title);
    return suite === undefined
      ? !again.failed.includes(title)
      : !again.failed.some((each) => each.startsWith(`${suite} `));
  });
  // What a suite with a failed hook had done before has run twice.
  const passedOnce = first.passed.filter((title) => !isOfSuite(title));
  return { ...first, passed: [...passedOnce, ...again.passed], failed: again.failed, unsteady };
}

/** The title of the suite in which a hook failed. @param {string} title of what failed */
function suiteOf(title) {
  return failedHook.exec(title)?.[1];
}

/** The most files to name of those that ran or didn't. */
const maxToName = 10;

/** @param {Unchanged} unchanged */
function filesOf({ files, others }) {
  const whole = files.length + others.length;
  if (files.length <= maxToName) return `${files.join(', ')} (not run)`;
  const count = `${files.length} of ${whole} files (not run)`;
  if (others.length === 0) return count;
  const named = others.length <= maxToName ? others.join(', ') : `${others.length} others`;
  return `${count}; run: ${named}`;
}

/**
 * What is unchanged since it passed, the skipped, unsteady and failed tests by name, then the line with the totals, which other programs parse.
 *
 * @param {readonly { name: string, results: Results }[]} all
 */
export function reportOf(all) {
  /** @param {string} word @param {(results: Results) => readonly string[] | undefined} titlesOf */
  const named = (word, titlesOf) =>
    all.flatMap(({ name, results }) =>
      (titlesOf(results) ?? []).map((title) => `${word} ${name}: ${title}`),
    );
  const sum = (/** @type {(results: Results) => number} */ count) =>
    all.reduce((total, { results }) => total + count(results), 0);
  const skipped = sum((results) => results.skipped.length);
  const unchanged = sum((results) => results.unchanged?.tests ?? 0);
  const passed = sum((results) => results.passed.length) + unchanged;
  const failed = sum((results) => results.failed.length);
  const closing = `${passed} passed${unchanged > 0 ? ` (${unchanged} unchanged)` : ''}, ${failed} failed`;
  return [
    ...all.flatMap(({ name, results }) =>
      results.unchanged?.files.length ? `unchanged ${name}: ${filesOf(results.unchanged)}` : [],
    ),
    ...named('skipped ', (results) => results.skipped),
    ...named('unsteady', (results) => results.unsteady),
    ...named('FAILED  ', (results) => results.failed),
    skipped > 0 ? `${closing}, ${skipped} skipped` : closing,
  ].join('\n');
}
