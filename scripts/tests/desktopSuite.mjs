// @ts-check
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { copySampleProject } from '../host/sample.mjs';
import { quietSettings } from '../host/settings.mjs';
import { hostsFolder, projectFolder } from '../paths.mjs';
import { hostVersions } from '../versions.mjs';
import { skippedAsAWhole, withResultsFile } from './results.mjs';
import { testEntry, testEnvironment, testSettings } from './vscodeSuite.mjs';

/** @typedef {import('./results.mjs').Results} Results */

/**
 * Runs tests in desktop VS Code, which it downloads.
 *
 * @param {{ version: import('../versions.mjs').VersionName } & import('./vscodeSuite.mjs').Tests} options
 * @returns {Promise<Results>} skipped as a whole, with the reason, if the download fails
 */
export async function runDesktopSuite({ version, ...tests }) {
  const { desktop } = hostVersions[version];
  const { downloadAndUnzipVSCode, runTests } = await import('@vscode/test-electron');
  /** @type {string} */
  let vscodeExecutablePath;
  try {
    vscodeExecutablePath = await downloadAndUnzipVSCode({
      version: desktop,
      cachePath: path.join(hostsFolder, 'desktop'),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return skippedAsAWhole(`desktop VS Code (${desktop}) can't be downloaded: ${reason}`);
  }
  return withResultsFile(async (resultsFile) => {
    // Short, and without symbolic links: VS Code creates a socket in it, whose path is limited to
    // 103 characters.
    const dataFolder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'acp-')));
    try {
      await mkdir(path.join(dataFolder, 'User'));
      const settingsFile = path.join(dataFolder, 'User', 'settings.json');
      await writeFile(settingsFile, JSON.stringify({ ...quietSettings, ...testSettings }));
      const project = await copySampleProject(dataFolder);
      await runTests({
        vscodeExecutablePath,
        extensionDevelopmentPath: projectFolder,
        extensionTestsPath: testEntry,
        extensionTestsEnv: await testEnvironment(resultsFile, tests, dataFolder),
        launchArgs: [
          project,
          `--user-data-dir=${dataFolder}`,
          ...['--disable-extensions', '--disable-workspace-trust', '--skip-welcome'],
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        ],
      });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}
