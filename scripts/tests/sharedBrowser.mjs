// @ts-check
import { launchBrowser } from '../host/browser.mjs';

/** @typedef {import('playwright-core').Browser} Browser */

const key = Symbol.for('acp-sessions.sharedBrowser');
/** Shared between this module, which the runner loads, and its copy in the test bundles. */
const shared = /** @type {{ [key]?: Browser }} */ (globalThis);

/**
 * Loaded by each process of the browser tests, before leftovers.mjs: all files in a process share one browser, which
 * ends with the process. Each file uses its own contexts in it.
 */
export const mochaHooks = {
  async beforeAll() {
    // A test may have crashed the previous one.
    if (!shared[key]?.isConnected()) shared[key] = await launchBrowser();
  },
};

/** The browser that the files of this process share, if there is one. */
export function sharedBrowser() {
  return shared[key];
}
