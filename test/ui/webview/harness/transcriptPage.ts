import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../../../../scripts/host/browser.mjs';
import type { Entry } from '../../../../src/shared/entries';
import type {
  Header,
  Phase,
  SavedTranscript,
  SessionState,
  ToWebview,
} from '../../../../src/shared/messages';
import type { Draft } from '../../../../src/shared/prompt';
import { bindKeys } from './keybindings';
import { type PageServer, startPageServer } from './server';
import themes from './themes.json';
import { TranscriptHost } from './transcriptHost';

export type ThemeName = keyof typeof themes;

export const allThemes = Object.keys(themes) as ThemeName[];

/** Those that axe is held to: in the others VS Code's own colours of placeholders are too weak for it. */
export const clearThemes = allThemes.filter((name) => !name.includes('2026'));

/** For pictures of a part of the page: one dark, one light, one of them in high contrast. */
export const pictureThemes: readonly ThemeName[] = ['Dark Modern', 'Default High Contrast Light'];

export const saved: SavedTranscript = {
  agentId: 'claude',
  sessionId: 'sess-1',
  cwd: '/project/shop',
  additionalDirectories: [],
  title: 'Fix the checkout',
};

export interface TranscriptOptions extends BrowserContextOptions {
  readonly entries?: readonly Entry[];
  readonly phase?: Phase;
  readonly header?: Partial<Header>;
  readonly session?: Partial<SessionState>;
  readonly theme?: ThemeName;
  /** English without it. */
  readonly language?: 'de';
  /** What an earlier life of the tab saved with `setState`. */
  readonly state?: unknown;
  /** What the host keeps of what was being written. */
  readonly draft?: Draft;
}

/** A transcript in a browser, with a host of its own behind it. */
export interface TranscriptPage {
  readonly page: Page;
  readonly host: TranscriptHost;
  /** What the browser refused or tripped over. */
  readonly errors: string[];
  /** Everything that was asked for over the network, besides the page's own files. */
  readonly requests: string[];
  /** What the webview saved last. */
  readonly state: () => Promise<unknown>;
}

/** Opens transcripts in one browser for the tests of a file; each is closed after its test. */
export function useTranscripts(
  launching: Parameters<typeof launchBrowser>[0] = {},
): (options?: TranscriptOptions) => Promise<TranscriptPage> {
  let browser: Browser;
  let server: PageServer;
  let hosts: TranscriptHost[] = [];

  before(async () => {
    server = await startPageServer(saved);
    browser = await launchBrowser(launching);
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) {
      host.dispose();
    }
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  return async (options) => {
    const opened = await openTranscript(browser, server, options);
    hosts = [...hosts, opened.host];
    return opened;
  };
}

/** Opens a transcript in a browser; whoever opened it disposes its host. */
export async function openTranscript(
  browser: Browser,
  server: PageServer,
  options: TranscriptOptions = {},
): Promise<TranscriptPage> {
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
  const page = await browser.newPage({ viewport: { width: 900, height: 800 }, ...context });
  const opened = { page, host, ...watch(page, server.origin), state: () => savedState(page) };
  await connect(page, host, theme, state);
  await page.goto(language ? `${server.origin}/?language=${language}` : server.origin);
  return opened;
}

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
  // A blob of its own is the page's worker.
  const own = [`${origin}/`, `blob:${origin}/`, 'data:'];
  page.on('request', (request) => {
    if (!own.some((start) => request.url().startsWith(start))) {
      requests.push(request.url());
    }
  });
  return { errors, requests };
}

/** Stands in for VS Code: its function, its theme on the page, and messages in both directions. */
async function connect(
  page: Page,
  host: TranscriptHost,
  theme: ThemeName,
  state: unknown,
): Promise<void> {
  await bindKeys(page);
  await page.exposeFunction('toHost', (value: unknown) => host.receive(value));
  await page.addInitScript(
    ({ initial, variables, classes }) => {
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
      document.addEventListener('DOMContentLoaded', () => {
        for (const [name, value] of Object.entries(variables)) {
          document.documentElement.style.setProperty(name, value);
        }
        document.body.classList.add(...classes.split(' '));
      });
    },
    {
      initial: state,
      variables: themes[theme].variables,
      classes: themes[theme].classes,
    },
  );
  host.connect(async (message) => {
    await page
      .evaluate((value: ToWebview) => window.postMessage(value), message)
      .catch(() => {
        // The page has been closed meanwhile.
      });
  });
}

function savedState(page: Page): Promise<unknown> {
  return page.evaluate(() => (globalThis as unknown as { savedState(): unknown }).savedState());
}
