import type { Browser, Page, ViewportSize } from 'playwright-core';
import { launchBrowser } from '../../../../scripts/host/browser.mjs';
import { sharedBrowser } from '../../../../scripts/tests/sharedBrowser.mjs';
import type {
  FromGlance,
  GlanceItem,
  GlanceSame,
  ToGlance,
} from '../../../../src/shared/glance/glance';
import { type PageServer, startPageServer } from './server';
import themes from './themes.json';
import { saved, type ThemeName } from './transcriptPage';

interface GlanceOptions {
  readonly viewport?: ViewportSize;
  readonly theme?: ThemeName;
  /** Default: English. */
  readonly language?: 'de';
}

/** The view of all sessions at a glance, in a browser. */
export interface GlancePage {
  readonly page: Page;
  /** What the page has sent, apart from `ready`. */
  readonly sent: FromGlance[];
  readonly errors: string[];
  readonly show: (
    items: readonly GlanceItem[],
    left?: number,
    same?: readonly GlanceSame[],
  ) => Promise<void>;
}

/** Opens the view; each page has a context of its own, which is closed after the test. */
export function useGlance(): (options?: GlanceOptions) => Promise<GlancePage> {
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
    const page = await browser.newPage({
      viewport: options.viewport ?? { width: 280, height: 700 },
    });
    opened = [...opened, page];
    return open(page, server.origin, options);
  };
}

async function open(page: Page, origin: string, options: GlanceOptions): Promise<GlancePage> {
  const { theme = 'Dark Modern', language } = options;
  const sent: FromGlance[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  let ready = (): void => undefined;
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  await page.exposeFunction('toHost', (message: FromGlance) => {
    if (message.type === 'ready') {
      ready();
    } else {
      sent.push(message);
    }
  });
  await page.addInitScript((look: { variables: Record<string, string>; classes: string }) => {
    const scope = globalThis as unknown as Record<string, unknown>;
    scope['acquireVsCodeApi'] = () => ({ postMessage: scope['toHost'] });
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
  await page.goto(`${origin}/glance${language ? `?language=${language}` : ''}`);
  await isReady;
  const show: GlancePage['show'] = async (items, left = 0, same = []) => {
    const message: ToGlance = { type: 'items', items, same, tasks: [], left };
    await page.evaluate((value) => window.postMessage(value), message);
  };
  return { page, sent, errors, show };
}
