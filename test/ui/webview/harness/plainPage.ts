import type { Browser, Page, ViewportSize } from 'playwright-core';
import { launchBrowser } from '../../../../scripts/host/browser.mjs';
import { sharedBrowser } from '../../../../scripts/tests/sharedBrowser.mjs';
import { type PageServer, startPageServer } from './server';
import themes from './themes.json';
import { saved, type ThemeName } from './transcriptPage';

export interface PlainOptions {
  readonly viewport?: ViewportSize;
  readonly theme?: ThemeName;
  /** Default: English. */
  readonly language?: 'de';
}

/** A page of the extension other than the transcript, in a browser. */
export interface PlainPage<Sent> {
  readonly page: Page;
  /** What the page has sent, apart from `ready`. */
  readonly sent: Sent[];
  readonly errors: string[];
  /** Sends a message to the page. */
  readonly post: (message: object) => Promise<void>;
}

/** Opens such pages; each has a context of its own, which is closed after the test. */
export function usePlainPages<Sent extends { readonly type: string }>(
  name: 'glance' | 'comparison',
  viewport: ViewportSize,
): (options?: PlainOptions) => Promise<PlainPage<Sent>> {
  let browser: Browser;
  let server: PageServer;
  let opened: Page[] = [];

  before(async () => {
    server = await startPageServer(saved);
    browser = sharedBrowser() ?? (await launchBrowser());
  });
  afterEach(async () => {
    await Promise.all(opened.map((page) => page.context().close()));
    opened = [];
  });
  after(async () => {
    if (browser !== sharedBrowser()) {
      await browser.close();
    }
    await server.close();
  });

  return async (options = {}) => {
    const page = await browser.newPage({ viewport: options.viewport ?? viewport });
    opened = [...opened, page];
    return open<Sent>(page, `${server.origin}/${name}`, options);
  };
}

async function open<Sent extends { readonly type: string }>(
  page: Page,
  address: string,
  options: PlainOptions,
): Promise<PlainPage<Sent>> {
  const { theme = 'Dark Modern', language } = options;
  const sent: Sent[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  let ready = (): void => undefined;
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  await page.exposeFunction('toHost', (message: Sent) => {
    if (message.type === 'ready') {
      ready();
    } else {
      sent.push(message);
    }
  });
  await page.addInitScript((look: { variables: Record<string, string>; classes: string }) => {
    const scope = globalThis as unknown as Record<string, unknown>;
    scope['acquireVsCodeApi'] = () => ({ postMessage: scope['toHost'], setState: () => undefined });
    scope['dress'] = ({ variables, classes }: typeof look): void => {
      document.documentElement.removeAttribute('style');
      for (const [name, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(name, value);
      }
      document.body.className = classes;
    };
    document.addEventListener('DOMContentLoaded', () =>
      (scope['dress'] as (dressed: typeof look) => void)(look),
    );
  }, themes[theme]);
  await page.goto(`${address}${language ? `?language=${language}` : ''}`);
  await isReady;
  const post = (message: object): Promise<void> =>
    page.evaluate((value) => window.postMessage(value), message);
  return { page, sent, errors, post };
}
