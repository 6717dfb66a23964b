// @ts-check
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import { launchBrowser } from '../host/browser.mjs';
import { copySampleProject } from '../host/sample.mjs';
import { startServer } from '../host/server.mjs';
import { hostsFolder, projectFolder } from '../paths.mjs';
import { reportMark } from './mochaRun.mjs';
import { withResultsFile } from './mochaSuite.mjs';

/** @typedef {import('./results.mjs').Results} Results */
/** @typedef {import('../host/server.mjs').Server} Server */

export const testEntry = path.join(projectFolder, 'out', 'vscode', 'index.js');

/** VS Code's Git extension would run beside the tests, and its uncaught errors would count as theirs. */
export const testSettings = { 'git.enabled': false };

const windowLog = path.join(hostsFolder, 'vscode-tests.log');

/**
 * The environment that the test entry point reads in the extension host.
 *
 * @param {string} resultsFile
 * @param {string | undefined} grep
 * @returns {Record<string, string>}
 */
export function testEnvironment(resultsFile, grep) {
  return {
    ACP_SESSIONS_TEST_RESULTS: resultsFile,
    ...(grep ? { ACP_SESSIONS_TEST_GREP: grep } : {}),
  };
}

/**
 * Runs the tests of `out/vscode` in the extension host of VS Code for the browser.
 *
 * @param {{ version: import('../versions.mjs').VersionName, grep: string | undefined }} options
 * @returns {Promise<Results>}
 */
export function runVscodeSuite({ version, grep }) {
  return withResultsFile(async (resultsFile) => {
    const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-vscode-'));
    const project = await copySampleProject(path.join(dataFolder, 'projects'));
    const server = await startServer({
      version,
      dataFolder,
      temporary: true,
      installed: false,
      folder: project,
      settings: testSettings,
      env: testEnvironment(resultsFile, grep),
    });
    try {
      await runInWindow(server, testEntry);
    } finally {
      const survivors = await server.stop();
      if (survivors.length > 0) return `left running: ${survivors.join('; ')}`;
    }
    return undefined;
  });
}

/**
 * Opens a window whose extension host runs an entry point, a module that exports `run()`, and waits until it ends.
 *
 * @param {Server} server
 * @param {string} entry
 */
export async function runInWindow(server, entry) {
  const remote = (/** @type {string} */ file) => `vscode-remote://127.0.0.1:${server.port}${file}`;
  const payload = [
    ['extensionDevelopmentPath', remote(projectFolder)],
    ['extensionTestsPath', remote(entry)],
  ];
  writeFileSync(windowLog, '');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.exposeFunction('codeAutomationLog', takeLog);
    const ended = new Promise((resolve) => {
      void page.exposeFunction('codeAutomationExit', resolve);
    });
    await page.goto(server.address({ payload: JSON.stringify(payload) }));
    await Promise.race([ended, rejectWhen(server)]);
  } finally {
    await browser.close();
  }
}

/**
 * Handles a line of the window's log: prints it if it is from the test report, otherwise writes it
 * to the log file.
 *
 * @param {string} type
 * @param {unknown[]} args
 */
function takeLog(type, args) {
  const text = format(...args);
  if (text.startsWith(reportMark)) console.log(text.slice(reportMark.length));
  else appendFileSync(windowLog, `[${type}] ${text}\n`);
}

/** @param {Server} server @returns {Promise<never>} */
async function rejectWhen(server) {
  await server.exited;
  throw new Error(`VS Code's server ended:\n${server.output()}`);
}
