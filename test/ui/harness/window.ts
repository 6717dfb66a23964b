import {
  type Browser,
  type BrowserContext,
  type FrameLocator,
  type Page,
  type ViewportSize,
} from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.mjs';
import { sharedBrowser } from '../../../scripts/tests/sharedBrowser.mjs';
import { type Host } from './host';

export interface WindowOptions {
  viewport?: ViewportSize;
  /** The folder of an extension to run besides ours. */
  extension?: string;
  /** Comes before the window's first request, which it may answer. */
  prepare?: (page: Page) => Promise<void>;
}

/** A window of VS Code that shares nothing with others but, where there is one for all tests, the browser. */
export interface Window {
  page: Page;
  /** What went wrong in it so far, by its console, without what VS Code itself complains about. */
  errors: readonly string[];
  close(): Promise<void>;
}

/** Opens a window and waits until its workbench can be used. */
export async function openWindow(host: Host, options: WindowOptions = {}): Promise<Window> {
  const { viewport = { width: 1280, height: 800 }, extension, prepare } = options;
  const { context, close } = await newContext({ viewport }, prepare !== undefined);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const errors = collectErrors(page);
    await prepare?.(page);
    await page.goto(
      extension === undefined ? host.address : withExtension(host.address, extension),
    );
    await waitForWorkbench(page);
    return { page, errors, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function newContext(
  options: { readonly viewport: ViewportSize },
  answered: boolean,
): Promise<{ readonly context: BrowserContext; readonly close: () => Promise<void> }> {
  const shared: Browser | undefined = answered ? undefined : sharedBrowser();
  const browser = shared ?? (await launchBrowser({ answered }));
  const context = await browser.newContext(options);
  return { context, close: () => (shared ? context.close() : browser.close()) };
}

function withExtension(host: string, folder: string): string {
  const address = new URL(host);
  const uri = `vscode-remote://${address.host}${folder}`;
  address.searchParams.set('payload', JSON.stringify([['extensionDevelopmentPath', uri]]));
  return address.href;
}

/** Also after `page.reload()`. */
export async function waitForWorkbench(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.sidebar').waitFor();
  // The status bar's first entries come with the connection to the extension host.
  await page.locator('.statusbar .statusbar-item').first().waitFor();
  await activityIcon(page).waitFor();
}

function collectErrors(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    const place = message.location().url;
    if (message.type() !== 'error' || isOfVsCodeItself(text, place)) return;
    errors.push(`${text} (${place})`);
  });
  return errors;
}

/**
 * Files and services that this build of VS Code lacks, what a reload cuts short, what a slow start outlasts, and a
 * tree that asks about the focused row, or about its first one when it gets the focus, while that row goes.
 */
function isOfVsCodeItself(text: string, place: string): boolean {
  const lacks = /^http:\/\/127\.0\.0\.1:\d+\/(_static\/|update\/check)|\/vsda\/|\.map$/;
  const inVain = /service ?worker|when fetching the script|authentication provider|AgentHost/i;
  const cutShort = /Canceled: Canceled|IndexedDB database .* is closed/;
  const outlasted = /Aborted onWillSaveTextDocument-event/;
  const gone =
    /TreeError \[[\w.]+\] Data tree node not found[^]*\.splice \([^]*\.refreshAndRenderNode \(/;
  const focused = /Data tree node not found: \S*:starting\n[^]*\.reveal \(/;
  return (
    [inVain, cutShort, outlasted, gone, focused].some((own) => own.test(text)) || lacks.test(place)
  );
}

/** The extension's icon in the activity bar. */
function activityIcon(page: Page) {
  return page.locator('.activitybar').getByRole('tab', { name: /^ACP Sessions/ });
}

/** Shows the extension's side bar, whether or not it is showing. */
export async function openSessionsView(page: Page): Promise<void> {
  const icon = activityIcon(page);
  if ((await icon.getAttribute('aria-selected')) !== 'true') await icon.click();
  await page.locator('.sidebar .composite.title', { hasText: /ACP Sessions/i }).waitFor();
}

/** A row of the sessions tree by what a screen reader says of it, or a part of that. */
export function treeRow(page: Page, name: string | RegExp) {
  return page.locator('.sidebar').getByRole('treeitem', { name });
}

/** Runs a command by its title, as the command palette shows it: "ACP Sessions: Refresh". */
export async function runCommand(page: Page, title: string): Promise<void> {
  const row = page.locator('.quick-input-list .monaco-list-row').first().filter({ hasText: title });
  for (let attempt = 0; attempt < 5; attempt++) {
    await openPalette(page, `>${title}`);
    // The palette keeps what could be run when it was opened: a command that came later isn't in it.
    const isThere = await row.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Escape');
  }
  throw new Error(`The command palette does not have “${title}”`);
}

/** A webview that has just been opened takes the focus when it is ready, and the palette closes: again, then. */
async function openPalette(page: Page, text: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="text"]');
  for (let attempt = 0; attempt < 10; attempt++) {
    await page.keyboard.press('F1');
    const filled = await input.fill(text, { timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (filled) return;
  }
  throw new Error('The command palette does not stay open');
}

/** The tab of an editor by its label. */
export function editorTab(page: Page, label: string | RegExp) {
  return page.locator('.tabs-container').getByRole('tab', { name: label });
}

/** Closes all editors, and waits until none is left: an open one behind another has no frame that could tell. */
export async function closeAllEditors(page: Page): Promise<void> {
  const closed = (timeout?: number) =>
    page.waitForFunction(
      () => document.querySelector('.tabs-container [role="tab"], iframe.webview') === null,
      undefined,
      timeout === undefined ? {} : { timeout },
    );
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+w');
  const isDone = await closed(3_000).then(
    () => true,
    () => false,
  );
  // What has the focus may have taken a key for itself.
  if (!isDone) {
    await runCommand(page, 'View: Close All Editors');
    await closed();
  }
}

/** As the button of the view does. */
export async function newSession(page: Page): Promise<void> {
  await page.locator('.sidebar .composite.title').hover();
  await page
    .locator('.sidebar')
    .getByRole('button', { name: /^New Session/ })
    .first()
    .click();
}

/** The inside of the webview that shows; VS Code keeps it in a frame within a frame. */
export function transcriptFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview:visible').frameLocator('iframe#active-frame');
}

/** Messages in the lower right corner. */
export function notification(page: Page, text: string | RegExp) {
  return page.locator('.notification-toast', { hasText: text });
}
