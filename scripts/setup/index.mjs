// @ts-check
import { ensureBrowserHost } from './browserHost.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { ensureGit } from './git.mjs';
import { SetupError } from './steps.mjs';

/**
 * Installs whatever is missing; only checks if nothing is.
 *
 * @param {{ hosts?: readonly import('../versions.mjs').VersionName[], browser?: boolean }} [needs]
 * `hosts`: versions of VS Code for the browser; `browser`: a browser that tests can drive
 * @returns {Promise<void>} rejects with a SetupError that says in one line what to do
 */
export async function setUp({ hosts = [], browser = false } = {}) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // Older versions can't load ES modules with "require", as mocha does.
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new SetupError(`Node 20.19 or newer is required; this is ${process.versions.node}.`);
  }
  await ensureDependencies();
  await ensureGit();
  for (const host of hosts) await ensureBrowserHost(host);
  if (browser) await ensureChromium();
}

/**
 * Prints an error, a SetupError without its stack, and makes the process fail.
 * @param {unknown} error
 */
export function reportAndFail(error) {
  const isAdvice = error instanceof SetupError || !(error instanceof Error);
  console.error(isAdvice ? String(error instanceof Error ? error.message : error) : error);
  process.exitCode = 1;
}
