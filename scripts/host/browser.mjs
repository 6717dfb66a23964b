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
 * Launches a headless browser that makes no network requests of its own.
 *
 * @param {{ readonly scrollBars?: boolean, readonly answered?: boolean }} [options] `scrollBars`: shows scroll bars, as
 * in a window; `answered`: also lets a page that a route fulfilled send requests to this machine
 */
export function launchBrowser({ scrollBars = false, answered = false } = {}) {
  return chromium.launch({
    executablePath: findChromium(),
    args: [...quietArguments, ...(answered ? ['--disable-features=LocalNetworkAccessChecks'] : [])],
    ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [],
  });
}
