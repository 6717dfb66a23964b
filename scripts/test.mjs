// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from './paths.mjs';
import { reportAndFail, setUp } from './setup/index.mjs';
import { announce, runLogged, SetupError } from './setup/steps.mjs';
import { findTests } from './tests/bundles.mjs';
import { Passed } from './tests/passed.mjs';
import { processorTime } from './tests/processorTime.mjs';
import { afterSecondAttempt, failedToRun, reportOf, worthRunningAgain } from './tests/results.mjs';
import { lineOf, seedOf, seedVariable } from './tests/seed.mjs';
import { useTemporaryFolder } from './tests/temporaryFolder.mjs';
import { slowestIn, timesVariable } from './tests/times.mjs';

const usage = `npm test -- [unit] [vscode] [ui] [--all] [--host newest|oldest] [--grep <text>] [--slowest <count>]
       npm run test:desktop -- [--version newest|oldest] [--grep <text>]`;

/**
 * Unit tests that start many processes, those that start most of them first, and then those that collect garbage.
 * Either costs in proportion to the memory of the process that does, which grows with each file that it has loaded; and
 * the soak takes longest.
 */
const runFirst = [
  ...['features/review/model/checkpoints', 'features/worktrees', 'model/places', 'platform'],
  ...['protocol/transport', 'features/diagnosis/model/diagnosis', 'features/notifications'],
  ...['features/features', 'util/process', 'features/prompts/server', 'demoAgent/process'],
  ...['protocol/refusal', 'protocol/v1/turnProcess', 'protocol/agentTransport', 'scripts'],
  ...['protocol/share/agentServer', 'features/search/index/searchLock', 'features/traces'],
  ...['protocol/lineSplitter', 'features/remote/model/transport'],
  ...['soak', 'extension', 'features/review', 'protocol/rpc'],
].map((beginning) => `out/unit/${beginning}`);

/** Of the properties, which only unit tests have. */
const seed = seedOf(process.env);

/**
 * @typedef {'unit' | 'vscode' | 'ui'} Suite
 * @typedef {import('./tests/results.mjs').Results} Results
 * @typedef {object} Plan
 * @property {Suite[]} suites
 * @property {boolean} desktop whether the vscode suite runs in desktop VS Code
 * @property {import('./versions.mjs').VersionName} version
 * @property {boolean} all whether files run again that passed with the same inputs
 * @property {string | undefined} grep a regular expression over whole titles
 * @property {number} slowest how many of the slowest files and tests to name
 *
 * @typedef {object} Run
 * @property {Suite} suite
 * @property {string} name for the report
 * @property {Results} results
 */

/** Sets up, builds and runs every requested suite. The totals are the last line printed. */
async function test() {
  const plan = readArguments();
  const { suites, desktop, version } = plan;
  useTemporaryFolder();
  await setUp();
  const needsHost = suites.includes('ui') || (suites.includes('vscode') && !desktop);
  const host = needsHost ? setUp({ hosts: [version], browser: true }) : Promise.resolve();
  // Its suites report the failure.
  host.catch(() => undefined);
  await removeOldTests();
  const passed = new Passed();
  const wanted = suites.flatMap((suite) => ['--tests', suite]);
  await runLogged('build', process.execPath, ['esbuild.mjs', ...wanted], { cwd: projectFolder });

  if (suites.includes('unit')) announce(lineOf(seed));
  const slowest = plan.slowest > 0 ? takeTimes(plan.slowest) : undefined;
  // Times that are taken side by side would be those of both.
  const planned = slowest ? [suites] : lanesOf(suites);
  const lanes = await Promise.allSettled(planned.map((lane) => runLane(lane, plan, host, passed)));
  const first = lanes.flatMap((lane) => {
    if (lane.status === 'rejected') throw lane.reason;
    return lane.value;
  });
  const all = [];
  for (const run of first) all.push(await runFailedAgain(run, plan));
  if (slowest) announce(`\n${slowest()}`);
  const failed = all.filter(({ results }) => results.failed.length > 0);
  if (failed.some(({ suite }) => suite === 'unit')) announce(`\n${lineOf(seed)}`);
  announce(`\n${reportOf(all)}`);
  if (failed.length > 0) process.exitCode = 1;
}

/**
 * The suites of a lane run one after the other, and the lanes side by side: tests inside VS Code mostly wait, the
 * others keep a processor busy.
 *
 * @param {Suite[]} suites
 */
function lanesOf(suites) {
  const inHost = suites.filter((suite) => suite === 'vscode');
  const others = suites.filter((suite) => suite !== 'vscode');
  return [others, inHost];
}

/** @param {Run} run @param {Plan} plan @returns {Promise<Run>} */
async function runFailedAgain(run, plan) {
  const grep = worthRunningAgain(run.results);
  if (grep === undefined) return run;
  announce(`\n── ${run.name}: ${run.results.failed.length} failed, once more`);
  const again = await runSuite(run.suite, { ...plan, grep }, await filesOf(run)).catch(
    (/** @type {unknown} */ error) => failedToRun(String(error)),
  );
  return { ...run, results: afterSecondAttempt(run.results, again) };
}

/** The files with failed tests, or all if they aren't known. @param {Run} run */
function filesOf({ suite, results: { files } }) {
  if (files === undefined) return findTests(suite);
  return Object.keys(files).filter((file) => (files[file]?.others ?? 0) > 0);
}

/**
 * The unit tests don't wait for VS Code, whose first installation takes minutes.
 *
 * @param {Suite[]} lane
 * @param {Plan} plan
 * @param {Promise<void>} host rejects if VS Code can't be installed
 * @param {Passed} passed
 */
async function runLane(lane, plan, host, passed) {
  /** @type {Run[]} */
  const all = [];
  const timed = plan.slowest > 0;
  for (const suite of lane) {
    if (suite !== 'unit') await host;
    const name = nameOf(suite, plan);
    announce(`\n── ${name}`);
    const began = Date.now();
    const processorBefore = timed ? processorTime(process.pid) : 0;
    const results = await runFiles(suite, plan, passed).catch((/** @type {unknown} */ error) =>
      failedToRun(error instanceof Error ? error.message : String(error)),
    );
    const took = [`ended after ${seconds(Date.now() - began)}`];
    if (timed)
      took.push(`${seconds(processorTime(process.pid) - processorBefore)} of processor time`);
    announce(`\n── ${name}: ${took.join(', ')}`);
    all.push({ suite, name, results });
  }
  return all;
}

/** @param {Suite} suite @param {Plan} plan @param {Passed} passed @returns {Promise<Results>} */
async function runFiles(suite, plan, passed) {
  const found = await findTests(suite);
  if (found.length === 0) return failedToRun(`there are no tests in out/${suite}`);
  // What is selected by title may be a part of a file.
  if (plan.grep !== undefined) return runSuite(suite, plan, found);
  return passed.run(nameOf(suite, plan), suite, found, plan, (files) =>
    runSuite(suite, plan, files),
  );
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${Math.round(milliseconds / 1000)} s`;
}

/** Deletes old bundles, so that a test whose source was deleted doesn't run again. */
async function removeOldTests() {
  for (const folder of ['unit', 'vscode', 'ui']) {
    await rm(path.join(projectFolder, 'out', folder), { recursive: true, force: true });
  }
}

/** @param {Suite} suite @param {Plan} plan @param {readonly string[]} files @returns {Promise<Results>} */
async function runSuite(suite, { desktop, version, grep }, files) {
  const { runMochaSuite } = await import('./tests/mochaSuite.mjs');
  switch (suite) {
    case 'unit':
      // Half of its time a single job waits for processes and files.
      return runMochaSuite({
        ...{ files, timeout: 30_000, grep, jobs: 2, first: runFirst },
        hooks: ['testedExtension.mjs'],
        env: { [seedVariable]: seed },
      });
    case 'ui':
      return runMochaSuite({
        files,
        timeout: 120_000,
        grep,
        // A single job leaves a processor idle while it waits for its windows.
        jobs: 2,
        hooks: ['sharedBrowser.mjs'],
        env: { ACP_SESSIONS_TEST_HOST: version },
      });
    case 'vscode': {
      // Imported late: these modules need packages that set-up may just have installed.
      if (desktop)
        return (await import('./tests/desktopSuite.mjs')).runDesktopSuite({ version, files, grep });
      return (await import('./tests/vscodeSuite.mjs')).runVscodeSuite({ version, files, grep });
    }
  }
}

/** Lets all suites write how long their tests take; returns what reports on it. @param {number} count */
function takeTimes(count) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'acp-sessions-times-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'times');
  process.env[timesVariable] = file;
  return () => slowestIn(file, count);
}

/** @param {Suite} suite @param {Plan} plan */
function nameOf(suite, { desktop, version }) {
  if (suite === 'unit') return suite;
  return `${suite} in ${desktop ? 'desktop ' : ''}VS Code, ${version}`;
}

/** @returns {Plan} */
function readArguments() {
  const { positionals, values } = parseOrExplain();
  const {
    all = false,
    host = 'newest',
    version = host === 'desktop' ? 'newest' : host,
    grep,
  } = values;
  const slowest = Number(values.slowest ?? 0);
  const suites = positionals.length > 0 ? positionals.map(asSuite) : /** @type {const} */ ([]);
  if (version !== 'newest' && version !== 'oldest') {
    throw new SetupError(`Unknown host "${host}" or version "${version}".\nUsage: ${usage}`);
  }
  if (!Number.isInteger(slowest))
    throw new SetupError(`--slowest needs a number.\nUsage: ${usage}`);
  return {
    suites: suites.length > 0 ? [...suites] : ['unit', 'vscode', 'ui'],
    desktop: host === 'desktop',
    version,
    all,
    grep,
    slowest,
  };
}

function parseOrExplain() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        host: { type: 'string' },
        version: { type: 'string' },
        grep: { type: 'string' },
        slowest: { type: 'string' },
      },
    });
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : ''}\nUsage: ${usage}`);
  }
}

/** @param {string} name @returns {Suite} */
function asSuite(name) {
  if (name === 'unit' || name === 'vscode' || name === 'ui') return name;
  throw new SetupError(`Unknown suite "${name}".\nUsage: ${usage}`);
}

// Exits normally, so that exit handlers remove temporary files.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

await test().catch((/** @type {unknown} */ error) => {
  reportAndFail(error);
  announce(`\n${reportOf([{ name: 'set-up', results: failedToRun('see above') }])}`);
});
