// @ts-check
import { launchBrowser } from '../host/browser.mjs';

/** @typedef {import('playwright-core').Browser} Browser */

const key = Symbol.for('acp-sessions.sharedBrowser');
/** Between this module, which the runner loads, and the one in the bundles of the tests. */
const shared = /** @type {{ [key]?: Browser }} */ (globalThis);

/**
 * Loaded by each process of the tests in a browser, before what looks for leftovers: the files that it runs share a
 * browser, which ends with the process. Each file has contexts of its own in it.
 */
export const mochaHooks = {
  async beforeAll() {
    // A page may have taken the one before with it.
    if (!shared[key]?.isConnected()) shared[key] = await launchBrowser();
  },
};

/** The one that the files of this process share, if they do. */
export function sharedBrowser() {
  return shared[key];
}
