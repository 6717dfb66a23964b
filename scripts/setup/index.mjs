// @ts-check
import { ensureBrowserHost } from './browserHost.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { SetupError } from './steps.mjs';

/**
 * Installs what is missing of all that is asked for; looks only, when nothing is.
 *
 * @param {{ hosts?: readonly import('../versions.mjs').VersionName[], browser?: boolean }} needs
 * `hosts`: VS Code for the browser; `browser`: one that tests can drive
 * @returns {Promise<void>} rejects with a SetupError that says in one line what to do
 */
export async function setUp({ hosts = [], browser = false }) {
  if (Number.parseInt(process.versions.node) < 20) {
    throw new SetupError(`Node 20 or newer is needed; this is ${process.versions.node}.`);
  }
  await ensureDependencies();
  for (const host of hosts) await ensureBrowserHost(host);
  if (browser) await ensureChromium();
}

/** Says what went wrong as a person should read it, and fails the program. @param {unknown} error */
export function reportAndFail(error) {
  const isAdvice = error instanceof SetupError || !(error instanceof Error);
  console.error(isAdvice ? String(error instanceof Error ? error.message : error) : error);
  process.exitCode = 1;
}
