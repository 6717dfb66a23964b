// @ts-check
import { existsSync } from 'node:fs';
import { SetupError } from './steps.mjs';
import { findOnPath, installSystemPackages, offersPackage } from './systemPackages.mjs';

/** Chromium without a user interface of its own, in which a window of VS Code takes a third less time to open. */
const shell = 'chromium-headless-shell';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'msedge'];
const places = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** @returns {string | undefined} */
function lookForChosen() {
  const chosen = process.env['CHROME_PATH'];
  if (chosen && !existsSync(chosen)) {
    throw new SetupError(`CHROME_PATH is not the path of a file: ${chosen}`);
  }
  return chosen || undefined;
}

/** @returns {string | undefined} */
function lookForChromium() {
  return (
    lookForChosen() ??
    [shell, ...names].map(findOnPath).find(Boolean) ??
    places.find((place) => existsSync(place))
  );
}

const advice = 'Install Chromium or Chrome, or name one in CHROME_PATH.';

/** The path of Chromium, Chrome or Edge. Throws a SetupError if there is none. */
export function findChromium() {
  const found = lookForChromium();
  if (!found) throw new SetupError(advice);
  return found;
}

/**
 * Installs the browser that tests run quickest in, and a font for it to render, where the system offers it; otherwise
 * Chromium, unless a browser of its kind is found.
 */
export async function ensureChromium() {
  if (lookForChosen() ?? findOnPath(shell)) return;
  if (offersPackage(shell) || !lookForChromium()) {
    const isInstalled = await install(shell).then(
      () => true,
      () => false,
    );
    if (isInstalled) return;
  }
  if (lookForChromium()) return;
  // On Ubuntu, for example, there is no package of this name.
  await install('chromium').catch((/** @type {unknown} */ error) => {
    throw new SetupError(`${error instanceof Error ? error.message : ''}\n${advice}`);
  });
  findChromium();
}

/** @param {string} name */
function install(name) {
  return installSystemPackages([name, 'fonts-dejavu-core'], advice);
}
