// @ts-check
import { chromium } from 'playwright-core';
import { findChromium } from '../setup/chromium.mjs';

const quietArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Starts a browser without a window that asks nothing of the network by itself.
 *
 * @param {{ readonly scrollBars?: boolean }} [options] `scrollBars`: there are some, as in a window
 */
export function launchBrowser({ scrollBars = false } = {}) {
  return chromium.launch({
    executablePath: findChromium(),
    args: quietArguments,
    ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [],
  });
}
