// @ts-check
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { copySampleProject } from '../host/sample.mjs';
import { startServer } from '../host/server.mjs';
import { typeScriptSettings } from '../host/settings.mjs';
import { projectFolder } from '../paths.mjs';
import { makeCertificates } from './certificates.mjs';
import { withResultsFile } from './results.mjs';
import { runInWindow } from './runInWindow.mjs';
import { rootVariable } from './times.mjs';

/**
 * @typedef {import('./results.mjs').Results} Results
 * @typedef {{ files: readonly string[], grep: string | undefined }} Tests the paths of their bundles, and a part of their titles
 */

export const testEntry = path.join(projectFolder, 'out', 'vscode', 'index.js');

export const testSettings = {
  // VS Code's Git extension would run beside the tests, and its uncaught errors would count as theirs.
  'git.enabled': false,
  // Older versions don't read the system's authorities by Node unless asked, and only Node reads them from elsewhere.
  'http.systemCertificatesNode': true,
  ...typeScriptSettings,
};

/**
 * The environment of the extension host, which the test entry point reads. The system's authority is one that is made
 * for the tests.
 *
 * @param {string} resultsFile
 * @param {Tests} tests
 * @param {string} dataFolder
 * @returns {Promise<Record<string, string>>}
 */
export async function testEnvironment(resultsFile, { files, grep }, dataFolder) {
  const certificates = path.join(dataFolder, 'certificates');
  await makeCertificates(certificates);
  return {
    ACP_SESSIONS_TEST_RESULTS: resultsFile,
    ACP_SESSIONS_TEST_FILES: JSON.stringify(files.map((file) => path.join(projectFolder, file))),
    // VS Code and its window take part in each test.
    [rootVariable]: String(process.pid),
    ACP_SESSIONS_TEST_CERTIFICATES: certificates,
    SSL_CERT_FILE: path.join(certificates, 'authority.pem'),
    ...(grep ? { ACP_SESSIONS_TEST_GREP: grep } : {}),
  };
}

/**
 * Runs tests in the extension host of VS Code for the browser.
 *
 * @param {{ version: import('../versions.mjs').VersionName } & Tests} options
 * @returns {Promise<Results>}
 */
export function runVscodeSuite({ version, ...tests }) {
  return withResultsFile(async (resultsFile) => {
    const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-vscode-'));
    const project = await copySampleProject(path.join(dataFolder, 'projects'));
    const server = await startServer({
      version,
      dataFolder,
      temporary: true,
      forTests: true,
      installed: false,
      folder: project,
      settings: testSettings,
      env: await testEnvironment(resultsFile, tests, dataFolder),
    });
    try {
      await runInWindow(server, testEntry);
    } catch (error) {
      await server.stop();
      throw error;
    }
    const survivors = await server.stop();
    return survivors.length > 0 ? `left running: ${survivors.join('; ')}` : undefined;
  });
}
