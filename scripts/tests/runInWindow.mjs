// @ts-check
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { launchBrowser } from '../host/browser.mjs';
import { hostsFolder, projectFolder } from '../paths.mjs';
import { reportMark } from './mochaRun.mjs';

/** @typedef {import('../host/server.mjs').Server} Server */

/** These tests look at no pixels: as little is drawn as possible. @type {import('playwright-core').BrowserContextOptions} */
const look = {
  viewport: { width: 800, height: 500 },
  deviceScaleFactor: 0.25,
  reducedMotion: 'reduce',
};

const windowLog = path.join(hostsFolder, 'vscode-tests.log');

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
    const page = await browser.newPage(look);
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
