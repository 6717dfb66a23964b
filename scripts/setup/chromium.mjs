// @ts-check
import { existsSync } from 'node:fs';
import { SetupError } from './steps.mjs';
import { findOnPath, installSystemPackages } from './systemPackages.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'msedge'];
const places = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** @returns {string | undefined} */
function lookForChromium() {
  const chosen = process.env['CHROME_PATH'];
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new SetupError(`CHROME_PATH is not the path of a file: ${chosen}`);
  }
  return names.map(findOnPath).find(Boolean) ?? places.find((place) => existsSync(place));
}

const advice = 'Install Chromium or Chrome, or name one in CHROME_PATH.';

/** The path of Chromium, Chrome or Edge. Throws a SetupError if there is none. */
export function findChromium() {
  const found = lookForChromium();
  if (!found) throw new SetupError(advice);
  return found;
}

/** Installs Chromium and a font for it to render, unless a browser of its kind is found. */
export async function ensureChromium() {
  if (lookForChromium()) return;
  // On Ubuntu, for example, there is no package of this name.
  await installSystemPackages(['chromium', 'fonts-dejavu-core'], advice).catch(
    (/** @type {unknown} */ error) => {
      throw new SetupError(`${error instanceof Error ? error.message : ''}\n${advice}`);
    },
  );
  findChromium();
}
