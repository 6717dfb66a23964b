import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Script } from 'node:vm';
import { type DOMWindow, JSDOM, VirtualConsole } from 'jsdom';
import { projectFolder } from '../../../../scripts/paths.mjs';
import type { Entry } from '../../../../src/shared/transcript/entries';
import type { Draft } from '../../../../src/shared/transcript/prompt';
import type {
  Header,
  Phase,
  SavedTranscript,
  SessionState,
  ToWebview,
} from '../../../../src/shared/transcript/webviewMessages';
import { type PageTexts, transcriptHtml } from '../../../../src/views/transcript/tabs/html';
import { bindKeys } from '../../../ui/webview/harness/keybindings';
import { TranscriptHost } from '../../../ui/webview/harness/transcriptHost';
import { PageClock } from './clock';
import { Layout } from './layout';
import { Page } from './page';

export const saved: SavedTranscript = {
  agentId: 'claude',
  sessionId: 'sess-1',
  cwd: '/project/shop',
  additionalDirectories: [],
  title: 'Fix the checkout',
};

interface TranscriptOptions {
  readonly entries?: readonly Entry[];
  readonly phase?: Phase;
  readonly header?: Partial<Header>;
  readonly session?: Partial<SessionState>;
  /** Default: English. */
  readonly language?: 'de';
  /** The state that an earlier page of the tab saved with `setState`. */
  readonly state?: unknown;
  /** The draft that the host has kept. */
  readonly draft?: Draft;
  /** How many rows are there depends on the height. */
  readonly viewport?: { readonly height: number };
}

/** A transcript on a DOM in this process, with its own host. */
export interface TranscriptPage {
  readonly page: Page;
  readonly host: TranscriptHost;
  /** Errors of the page. */
  readonly errors: string[];
  /** The state that the webview saved last. */
  readonly state: () => unknown;
}

/**
 * Opens transcripts without a browser: the page that ships, on a DOM in this process, with the host's side of it as in
 * the extension. A page has no style sheets and next to no layout, see `Layout`. Each is closed after its test.
 */
export function useTranscripts(): (options?: TranscriptOptions) => Promise<TranscriptPage> {
  const opened: { readonly host: TranscriptHost; readonly dom: JSDOM }[] = [];
  afterEach(() => {
    for (const { host, dom } of opened.splice(0)) {
      host.dispose();
      dom.window.close();
    }
  });
  return async (options = {}) => {
    const { entries = [], phase, header, session, draft } = options;
    const host = new TranscriptHost();
    host.reset([...entries]);
    host.phase = phase ?? host.phase;
    host.header = { ...host.header, ...header };
    host.session = { ...host.session, ...session };
    host.draft = draft ?? host.draft;
    const { dom, ...page } = await openPage(host, options);
    opened.push({ host, dom });
    return { host, ...page };
  };
}

/** The page's program as it ships, compiled once. */
let program: Script | undefined;

function compiled(): Script {
  if (program === undefined) {
    const file = path.join(projectFolder, 'dist', 'webview', 'transcript.js');
    // A module's own scope, and its strict mode.
    const text = `(() => { "use strict"; ${readFileSync(file, 'utf8')}\n})()`;
    program = new Script(text, { filename: file });
  }
  return program;
}

async function openPage(host: TranscriptHost, { language, state, viewport }: TranscriptOptions) {
  const errors: string[] = [];
  const virtualConsole = new VirtualConsole()
    .on('jsdomError', (error) => errors.push(String(error)))
    .on('error', (...words) => errors.push(words.join(' ')));
  const dom = new JSDOM(htmlIn(language), {
    url: 'http://127.0.0.1/',
    runScripts: 'outside-only',
    pretendToBeVisual: true,
    virtualConsole,
  });
  const { window } = dom;
  const clock = new PageClock();
  clock.install(window as unknown as Window);
  new Layout(clock, viewport?.height ?? 800).install(window as unknown as typeof globalThis.window);
  standIn(window);

  let current = state;
  const tell = async (value: unknown): Promise<void> => {
    const message: unknown = structuredClone(value);
    await setImmediate();
    await host.receive(message);
  };
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (value: unknown) => void tell(value),
      getState: () => current,
      setState: (next: unknown) => {
        current = structuredClone(next);
      },
    }),
    postMessage: (data: unknown) => void post(data as ToWebview),
    savedState: () => current,
  });
  const post = async (message: ToWebview): Promise<void> => {
    const data: unknown = structuredClone(message);
    await setImmediate();
    window.dispatchEvent(new window.MessageEvent('message', { data }));
  };
  const page = new Page(dom, clock);
  host.connect(post, () => page.settle());
  await bindKeys(page);
  window.eval(window.document.querySelector('head script')?.textContent ?? '');
  compiled().runInContext(dom.getInternalVMContext());
  await page.settle();
  return { dom, page, errors, state: () => current };
}

/** What a browser has and this DOM lacks, as far as the page uses it. */
function standIn(window: DOMWindow): void {
  Object.assign(window, {
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    CSS: { highlights: new Map() },
    Highlight: class extends Set {
      constructor(...ranges: readonly unknown[]) {
        super(ranges);
      }
    },
  });
  window.document.hasFocus = () => true;
}

function htmlIn(language: string | undefined): string {
  const resources = { cspSource: '', script: '', styles: [] };
  return transcriptHtml(resources, saved, language ? textsIn(language) : undefined);
}

/** The translations that VS Code loads for this language. */
function textsIn(language: string): PageTexts {
  const file = path.join(projectFolder, 'l10n', `bundle.l10n.${language}.json`);
  return { language, bundle: JSON.parse(readFileSync(file, 'utf8')) as PageTexts['bundle'] };
}
