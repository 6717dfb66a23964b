// @ts-check
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { copySampleProject } from '../host/sample.mjs';
import { startServer } from '../host/server.mjs';
import { projectFolder } from '../paths.mjs';
import { withResultsFile } from './results.mjs';
import { runInWindow } from './runInWindow.mjs';

/** @typedef {import('./results.mjs').Results} Results */

export const testEntry = path.join(projectFolder, 'out', 'vscode', 'index.js');

/** VS Code's Git extension would run beside the tests, and its uncaught errors would count as theirs. */
export const testSettings = { 'git.enabled': false };

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
