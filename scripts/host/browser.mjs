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
 * @param {{ readonly scrollBars?: boolean, readonly answered?: boolean }} [options] `scrollBars`: there are some, as
 * in a window; `answered`: a page that was answered by a route may ask this machine, too
 */
export function launchBrowser({ scrollBars = false, answered = false } = {}) {
  return chromium.launch({
    executablePath: findChromium(),
    args: [...quietArguments, ...(answered ? ['--disable-features=LocalNetworkAccessChecks'] : [])],
    ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [],
  });
}
