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

const answeredArguments = ['--disable-features=LocalNetworkAccessChecks', '--site-per-process'];

/**
 * Launches a headless browser that makes no network requests of its own.
 *
 * @param {{ readonly scrollBars?: boolean, readonly answered?: boolean }} [options] `scrollBars`: shows scroll bars, as
 * in a window; `answered`: also lets a page that a route fulfilled send requests to this machine, and gives frames of
 * another origin processes of their own, as browsers with a window do
 */
export function launchBrowser({ scrollBars = false, answered = false } = {}) {
  return chromium.launch({
    executablePath: findChromium(),
    args: [...quietArguments, ...(answered ? answeredArguments : [])],
    ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [],
  });
}
