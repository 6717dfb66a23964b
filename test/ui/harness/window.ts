import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Frame,
  type FrameLocator,
  type Locator,
  type Page,
  type ViewportSize,
} from 'playwright-core';
import { launchBrowser } from '../../../scripts/host/browser.mjs';
import { sharedBrowser } from '../../../scripts/tests/sharedBrowser.mjs';
import { type Host } from './host';

export interface WindowOptions {
  viewport?: ViewportSize;
  /** The folder of an extension to run in addition to ours. */
  extension?: string;
  /** Runs before the window's first request, which it may answer. */
  prepare?: (page: Page) => Promise<void>;
}

/** A window of VS Code that shares nothing with others except the browser, if the tests share one. */
export interface Window {
  page: Page;
  /** Errors in the window's console so far, without those of VS Code itself. */
  errors: readonly string[];
  close(): Promise<void>;
}

/** Opens a window and waits until its workbench is ready. */
export async function openWindow(host: Host, options: WindowOptions = {}): Promise<Window> {
  const { viewport = { width: 1280, height: 800 }, extension, prepare } = options;
  // Each step of a spinner would redraw the window.
  const look = { viewport, reducedMotion: 'reduce' } as const;
  const { context, close } = await newContext(look, prepare !== undefined);
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
  options: BrowserContextOptions,
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

/** Use it after `page.reload()` as well. */
export async function waitForWorkbench(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.sidebar').waitFor();
  // The status bar's first entries appear once the extension host is connected.
  await page.locator('.statusbar .statusbar-item').first().waitFor();
  await activityIcon(page).waitFor();
}

/**
 * Reloads the window when VS Code has stored which tabs are open. It does so only now and then, when it is idle, and in a
 * browser a reload doesn't wait for it: tabs that aren't stored yet would be gone.
 */
export async function reloadWindow(page: Page): Promise<void> {
  const names = await page.locator('.tabs-container .tab .label-name').allInnerTexts();
  await page.waitForFunction(hasStoredTabs, names, { polling: 200 });
  const loaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
  await waitForWorkbench(page);
}

/** Runs in the page: whether the stored editors have these names. */
async function hasStoredTabs(names: readonly string[]): Promise<boolean> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('It failed'));
    });
  const isOfWorkspace = /^vscode-web-state-db-(?!global)(?!profile)/;
  const databases = (await indexedDB.databases()).flatMap(({ name = '' }) =>
    isOfWorkspace.test(name) ? [name] : [],
  );
  for (const name of databases) {
    const database = await settled(indexedDB.open(name));
    const items = database.transaction('ItemTable').objectStore('ItemTable');
    const editors: unknown = await settled(items.get('memento/workbench.parts.editor'));
    database.close();
    if (typeof editors === 'string' && names.every((each) => editors.includes(each))) return true;
  }
  return false;
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
 * Errors of VS Code itself: files and services that this build lacks, requests that a reload cuts short, work that a
 * slow start outlasts, and a tree that asks about the focused row, or about its first row on focus, while that row is
 * removed (https://github.com/microsoft/vscode/issues/142700). Its list commands, which the sample's opener runs, do
 * so, too: no reveal of ours is in their stacks.
 */
function isOfVsCodeItself(text: string, place: string): boolean {
  const lacks = /^http:\/\/127\.0\.0\.1:\d+\/(_static\/|update\/check)|\/vsda\/|\.map$/;
  const inVain = /service ?worker|when fetching the script|authentication provider|AgentHost/i;
  const cutShort = /Canceled: Canceled|IndexedDB database .* is closed/;
  const outlasted = /Aborted onWillSaveTextDocument-event/;
  const gone =
    /TreeError \[[\w.]+\] Data tree node not found[^]*\.splice \([^]*\.refreshAndRenderNode \(/;
  const focused =
    /Data tree node not found: \S*:(?:starting|loading)\n[^]*\.(?:reveal|rerender|expand|getNode) \(/;
  return (
    [inVain, cutShort, outlasted, gone, focused].some((own) => own.test(text)) || lacks.test(place)
  );
}

/** The extension's icon in the activity bar. */
function activityIcon(page: Page) {
  return page.locator('.activitybar').getByRole('tab', { name: /^ACP Sessions/ });
}

/** Opens the extension's side bar unless it is open. */
export async function openSessionsView(page: Page): Promise<void> {
  const icon = activityIcon(page);
  if ((await icon.getAttribute('aria-selected')) !== 'true') await icon.click();
  await page.locator('.sidebar .composite.title', { hasText: /ACP Sessions/i }).waitFor();
}

/** A row of the sessions tree, by its accessible name or part of it. */
export function treeRow(page: Page, name: string | RegExp) {
  return page.locator('.sidebar').getByRole('treeitem', { name });
}

/** Makes a choice in "View Options…", and closes the list. */
export async function chooseViewOption(page: Page, label: string): Promise<void> {
  await runCommand(page, 'ACP Sessions: View Options…');
  await page.locator('.quick-input-list .label-name').getByText(label, { exact: true }).click();
  await page.keyboard.press('Escape');
}

/** Runs a command by its title in the Command Palette: "ACP Sessions: Refresh". */
export async function runCommand(page: Page, title: string): Promise<void> {
  const row = page.locator('.quick-input-list .monaco-list-row').first().filter({ hasText: title });
  for (let attempt = 0; attempt < 5; attempt++) {
    await openPalette(page, `>${title}`);
    // The palette lists only commands that were available when it opened. A webview that becomes ready may close it at
    // any moment: a click is made only on a row that is there, while a key would go astray.
    if (await getsClick(row)) {
      return;
    }
    await page.keyboard.press('Escape');
  }
  throw new Error(`The command palette does not have “${title}”`);
}

/** The page's note whether the element was clicked. */
type Noted = typeof globalThis & { isClicked?: boolean };

/** Clicks an element that may be hidden at any moment, also between the press and the release of the button. */
async function getsClick(element: Locator): Promise<boolean> {
  try {
    await element.evaluate(
      (node) => {
        const noted = globalThis as Noted;
        noted.isClicked = false;
        node.addEventListener('click', () => (noted.isClicked = true), { once: true });
      },
      undefined,
      { timeout: 5_000 },
    );
    await element.click({ timeout: 5_000 });
  } catch {
    return false;
  }
  // The click may have reloaded the window.
  return element
    .page()
    .evaluate(() => (globalThis as Noted).isClicked !== false)
    .catch(() => true);
}

/** Retries, because a newly opened webview takes the focus when it is ready, which closes the palette. */
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

/** The tab of an editor, by its label. */
export function editorTab(page: Page, label: string | RegExp) {
  return page.locator('.tabs-container').getByRole('tab', { name: label });
}

/** Closes all editors and waits until none is left; an editor hidden behind another has no frame to check. */
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
  // The focused element may have consumed a key.
  if (!isDone) {
    await runCommand(page, 'View: Close All Editors');
    await closed();
  }
}

/** An item of a menu, by its label, without the key binding that may follow it. */
export function menuItem(page: Page, name: string): Locator {
  const label = page.locator('.action-label', { hasText: new RegExp(`^${name}$`) });
  return page.getByRole('menuitem').filter({ has: label });
}

/**
 * Chooses an item of the open menu. Retries, because VS Code ignores clicks just after a menu opens, and longer on a slow machine.
 */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  const item = menuItem(page, name);
  for (let attempt = 0; attempt < 10; attempt++) {
    await item.click();
    const isDone = await item.waitFor({ state: 'hidden', timeout: 1_000 }).then(
      () => true,
      () => false,
    );
    if (isDone) {
      return;
    }
  }
  throw new Error(`The menu takes no click on ${name}`);
}

/** Creates a session with the button in the view's title, which VS Code may draw anew during a click. */
export async function newSession(page: Page): Promise<void> {
  const button = page.locator('.sidebar').getByRole('button', { name: /^New Session/ });
  await page.evaluate(noteClickOnNewSession);
  for (let attempt = 0; attempt < 5; attempt++) {
    await page.locator('.sidebar .composite.title').hover();
    await button.first().click();
    if (await page.evaluate(() => (globalThis as Noted).isClicked)) return;
  }
  throw new Error('The button for a new session takes no click');
}

/** Runs in the page. A button that goes before the mouse is released gets no click; its successor may. */
function noteClickOnNewSession(): void {
  const noted = globalThis as Noted;
  noted.isClicked = false;
  const note = ({ target }: Event): void => {
    if (!(target instanceof Element) || !target.closest('[aria-label^="New Session"]')) return;
    noted.isClicked = true;
    document.removeEventListener('click', note, true);
  };
  document.addEventListener('click', note, true);
}

/** The content of the visible webview, which VS Code nests in two frames. */
export function transcriptFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview:visible').frameLocator('iframe#active-frame');
}

/** The content of the visible webview that has such an element, of several ones. */
export async function webviewWith(page: Page, selector: string): Promise<Frame> {
  const has = async (frame: Frame): Promise<boolean> => {
    for (let inner = frame; inner.parentFrame(); inner = inner.parentFrame() ?? inner) {
      if (!(await (await inner.frameElement()).isVisible())) return false;
    }
    return frame.locator(selector).first().isVisible();
  };
  for (let attempt = 0; attempt < 600; attempt++) {
    for (const frame of page.frames()) {
      // A frame may be replaced at any moment.
      if (await has(frame).catch(() => false)) return frame;
    }
    await page.waitForTimeout(100);
  }
  throw new Error(`No webview shows ${selector}`);
}

/** Notifications in the lower right corner. */
export function notification(page: Page, text: string | RegExp) {
  return page.locator('.notification-toast', { hasText: text });
}
