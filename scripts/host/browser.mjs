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

/**
 * What Playwright keeps of a page in this process; not part of its API.
 *
 * @typedef {object} PageWithinPlaywright
 * @property {{ toImpl?: (page: unknown) => { delegate?: { _mainFrameSession?: { _client?: CdpClient } } } }} [_connection]
 *
 * @typedef {{ send: (method: 'Network.disable') => Promise<unknown> }} CdpClient
 */

/**
 * Ends the browser's reports about requests of a page, which no route may answer. A window of VS Code sends all that it
 * does through one WebSocket, and to report each of its frames takes a twelfth of what the window takes. Playwright has
 * no option for that (https://github.com/microsoft/playwright/pull/4336).
 *
 * @param {import('playwright-core').Page} page
 */
export async function ignoreRequests(page) {
  const { _connection } = /** @type {PageWithinPlaywright} */ (/** @type {unknown} */ (page));
  const session = _connection?.toImpl?.(page).delegate?._mainFrameSession;
  if (!session?._client) throw new Error('Playwright keeps the session of a page elsewhere now.');
  await session._client.send('Network.disable');
}
