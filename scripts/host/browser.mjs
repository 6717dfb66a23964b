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

/** Starts a browser without a window that asks nothing of the network by itself. */
export function launchBrowser() {
  return chromium.launch({ executablePath: findChromium(), args: quietArguments });
}
