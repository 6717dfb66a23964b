import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Disposable,
  Page,
  ViewportSize,
} from 'playwright-core';
import { launchBrowser } from '../../../../scripts/host/browser.mjs';
import { sharedBrowser } from '../../../../scripts/tests/sharedBrowser.mjs';
import type { Entry } from '../../../../src/shared/transcript/entries';
import type { Draft } from '../../../../src/shared/transcript/prompt';
import type {
  Header,
  Phase,
  SavedTranscript,
  SessionState,
  ToWebview,
} from '../../../../src/shared/transcript/webviewMessages';
import { screenshot, screenshotsAreAsked } from '../../harness/screenshot';
import { bindKeys } from './keybindings';
import { type PageServer, startPageServer } from './server';
import themes from './themes.json';
import { TranscriptHost } from './transcriptHost';

export type ThemeName = keyof typeof themes;

/** The variables and classes that VS Code sets on a webview's page for a theme. */
interface Look {
  readonly variables: Readonly<Record<string, string>>;
  readonly classes: string;
}

export const allThemes = Object.keys(themes) as ThemeName[];

/** The themes that axe checks; in the others VS Code's own placeholder colors have too little contrast. */
export const clearThemes = allThemes.filter((name) => !name.includes('2026'));

/** Themes for screenshots of parts of the page: one is dark, and one is light and high contrast. */
const pictureThemes: readonly ThemeName[] = ['Dark Modern', 'Default High Contrast Light'];

export const saved: SavedTranscript = {
  agentId: 'claude',
  sessionId: 'sess-1',
  cwd: '/project/shop',
  additionalDirectories: [],
  title: 'Fix the checkout',
};

/** Opens pages: a browser, which gives each page a separate context, or a shared context. */
interface Pages {
  newPage(options: BrowserContextOptions): Promise<Page>;
}

/** The default size of a page. */
const viewport: ViewportSize = { width: 900, height: 800 };

export interface TranscriptOptions extends BrowserContextOptions {
  readonly entries?: readonly Entry[];
  readonly phase?: Phase;
  readonly header?: Partial<Header>;
  readonly session?: Partial<SessionState>;
  readonly theme?: ThemeName;
  /** Default: English. */
  readonly language?: 'de';
  /** The state that an earlier page of the tab saved with `setState`. */
  readonly state?: unknown;
  /** The draft that the host has kept. */
  readonly draft?: Draft;
}

/** A transcript in a browser, with its own host. */
export interface TranscriptPage {
  readonly page: Page;
  readonly host: TranscriptHost;
  /** Requests that the browser blocked, and errors of the page. */
  readonly errors: string[];
  /** All network requests except for the page's own files. */
  readonly requests: string[];
  /** The state that the webview saved last. */
  readonly state: () => Promise<unknown>;
}

/**
 * Opens transcripts in the browser that all tests share, or in one launched for the purpose; each is closed after its
 * test. The transcripts of a file share a context, and one after the other the same tab, because a new tab takes longer
 * than all that most tests do; a test that fails leaves its tab to nobody.
 */
export function useTranscripts(
  launching?: Parameters<typeof launchBrowser>[0],
): (options?: TranscriptOptions) => Promise<TranscriptPage> {
  let browser: Browser;
  let shared: Browser | undefined;
  let server: PageServer;
  let context: BrowserContext;
  let opened: Opened[] = [];
  /** The tab of an earlier test, without a transcript. */
  let tab: Page | undefined;

  before(async () => {
    server = await startPageServer(saved);
    shared = launching ? undefined : sharedBrowser();
    browser = shared ?? (await launchBrowser(launching));
    context = await browser.newContext({ viewport });
  });
  afterEach(async function () {
    const done = opened.splice(0);
    for (const { host } of done) {
      host.dispose();
    }
    const mine = done.find(({ page }) => page.context() === context && !page.isClosed());
    if (mine && this.currentTest?.isPassed()) {
      await mine.leave();
      tab = mine.page;
    }
    const others = browser.contexts().filter((each) => each !== context);
    const pages = context.pages().filter((each) => each !== tab);
    await Promise.all([...others, ...pages].map((each) => each.close()));
  });
  after(async () => {
    await context.close();
    if (browser !== shared) {
      await browser.close();
    }
    await server.close();
  });

  const newPage = async (options: BrowserContextOptions): Promise<Page> => {
    if (Object.keys(options).some((name) => name !== 'viewport')) {
      return browser.newPage(options);
    }
    const page = tab ?? (await context.newPage());
    tab = undefined;
    const { width, height } = options.viewport ?? viewport;
    const now = page.viewportSize();
    if (now?.width !== width || now.height !== height) {
      await page.setViewportSize({ width, height });
    }
    return page;
  };

  return async (options = {}) => {
    const one = await openTranscript({ newPage }, server, options);
    opened = [...opened, one];
    return one;
  };
}

interface Opened extends TranscriptPage {
  /** Leaves the transcript and takes everything away that came with it; the page is empty then. */
  readonly leave: () => Promise<void>;
}

/** Opens a transcript in a new page; the caller disposes its host. */
export async function openTranscript(
  pages: Pages,
  server: PageServer,
  options: TranscriptOptions = {},
): Promise<Opened> {
  const {
    entries = [],
    phase,
    header,
    session,
    theme = 'Dark Modern',
    state,
    draft,
    language,
    ...context
  } = options;
  const host = new TranscriptHost();
  host.reset([...entries]);
  host.phase = phase ?? host.phase;
  host.header = { ...host.header, ...header };
  host.session = { ...host.session, ...session };
  host.draft = draft ?? host.draft;
  const page = await pages.newPage({ viewport, ...context });
  const { errors, requests } = watch(page, server.origin);
  const connected = await connect(page, host, theme, state);
  await page.goto(language ? `${server.origin}/?language=${language}` : server.origin);
  const leave = async (): Promise<void> => {
    for (const event of watched) {
      page.removeAllListeners(event);
    }
    await page.goto('about:blank');
    await page.unrouteAll();
    await page.mouse.move(0, 0);
    await Promise.all(connected.map((each) => each.dispose()));
  };
  return { page, host, errors, requests, state: () => savedState(page), leave };
}

/** The events of a page that `watch` listens to. */
const watched = ['pageerror', 'console', 'dialog', 'popup', 'framenavigated', 'request'] as const;

function watch(page: Page, origin: string): Pick<TranscriptPage, 'errors' | 'requests'> {
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => errors.push(`popup: ${popup.url()}`));
  page.on(
    'framenavigated',
    (frame) =>
      !/^\/(\?language=\w+)?$/.test(frame.url().slice(origin.length)) && errors.push(frame.url()),
  );
  // The page starts its worker from a blob URL.
  const own = [`${origin}/`, `blob:${origin}/`, 'data:'];
  page.on('request', (request) => {
    if (!own.some((start) => request.url().startsWith(start))) {
      requests.push(request.url());
    }
  });
  return { errors, requests };
}

/** Stands in for VS Code: its API, its theme on the page, and messages in both directions. */
async function connect(
  page: Page,
  host: TranscriptHost,
  theme: ThemeName,
  state: unknown,
): Promise<readonly Disposable[]> {
  const keys = await bindKeys(page);
  const toHost = await page.exposeFunction('toHost', (value: unknown) => host.receive(value));
  const script = await page.addInitScript(
    ({ initial, look }) => {
      const scope = globalThis as unknown as Record<string, unknown>;
      let current = initial;
      const toHost = scope['toHost'] as (value: unknown) => void;
      scope['acquireVsCodeApi'] = () => ({
        postMessage: (value: unknown) => toHost(value),
        getState: () => current,
        setState: (next: unknown) => {
          current = next;
        },
      });
      scope['savedState'] = () => current;
      const dress = ({ variables, classes }: Look): void => {
        document.documentElement.removeAttribute('style');
        for (const [name, value] of Object.entries(variables)) {
          document.documentElement.style.setProperty(name, value);
        }
        document.body.className = classes;
      };
      scope['dress'] = dress;
      document.addEventListener('DOMContentLoaded', () => dress(look));
    },
    { initial: state, look: themes[theme] },
  );
  const post = async (message: ToWebview): Promise<void> => {
    await page
      .evaluate((value: ToWebview) => window.postMessage(value), message)
      .catch(() => {
        // The page has been closed in the meantime.
      });
  };
  host.connect(post, () => page.evaluate(queueIsEmpty));
  return [keys, toHost, script];
}

/** Resolves after the tasks that wait now. Unlike a timer, it needs no clock, which some tests turn. */
function queueIsEmpty(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Switches an open page to another theme, as VS Code does. */
export async function setTheme(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(async (look) => {
    (globalThis as unknown as { dress(look: Look): void }).dress(look);
    await Promise.all(
      document
        .getAnimations()
        .flatMap((each) => (each instanceof CSSTransition ? [each.finished] : [])),
    );
  }, themes[theme] as Look);
}

/** Takes a screenshot of the page in each of these themes if the run was asked for screenshots. */
export async function pictures(
  page: Page,
  name: string,
  names: readonly ThemeName[] = pictureThemes,
): Promise<void> {
  for (const theme of screenshotsAreAsked ? names : []) {
    await setTheme(page, theme);
    await screenshot(page, name, theme);
  }
}

function savedState(page: Page): Promise<unknown> {
  return page.evaluate(() => (globalThis as unknown as { savedState(): unknown }).savedState());
}
