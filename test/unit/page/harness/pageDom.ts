import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Script } from 'node:vm';
import { type DOMWindow, JSDOM, VirtualConsole } from 'jsdom';
import type { PageTexts } from '../../../../src/views/transcript/tabs/html';
import { inProject } from '../../../support/project';
import { PageClock } from './clock';
import { Layout } from './layout';
import { Page } from './page';

interface DomOptions {
  readonly program: 'transcript' | 'glance' | 'comparison';
  readonly html: string;
  /** The height of the viewport. */
  readonly height: number;
  /** What `getState` returns. */
  readonly state?: unknown;
  /** Called with what the page sends. */
  readonly receive: (value: unknown) => unknown;
  /** Called before the page's program runs. */
  readonly prepare?: (page: Page, post: OpenedPage['post']) => Promise<unknown>;
}

interface OpenedPage {
  readonly page: Page;
  readonly errors: string[];
  /** The state that the page saved last. */
  readonly state: () => unknown;
  /** Sends the page a message. */
  readonly post: (message: unknown) => Promise<void>;
  readonly close: () => void;
}

/** The pages' programs as they ship, each compiled once. */
const programs = new Map<string, Script>();

function compiled(name: DomOptions['program']): Script {
  const known = programs.get(name);
  if (known) {
    return known;
  }
  const file = path.join(inProject('dist/webview'), `${name}.js`);
  // A module's own scope, and its strict mode.
  const text = `(() => { "use strict"; ${readFileSync(file, 'utf8')}\n})()`;
  const program = new Script(text, { filename: file });
  programs.set(name, program);
  return program;
}

/** Opens a page on a DOM in this process; what is sent in either direction arrives in a task of its own. */
export async function openDom(options: DomOptions): Promise<OpenedPage> {
  const errors: string[] = [];
  const virtualConsole = new VirtualConsole()
    .on('jsdomError', (error) => errors.push(String(error)))
    .on('error', (...words) => errors.push(words.join(' ')));
  const dom = new JSDOM(options.html, {
    url: 'http://127.0.0.1/',
    runScripts: 'outside-only',
    pretendToBeVisual: true,
    virtualConsole,
  });
  const { window } = dom;
  const clock = new PageClock();
  clock.install(window as unknown as Window);
  new Layout(clock, options.height).install(window as unknown as typeof globalThis.window);
  standIn(window);

  let current = options.state;
  const tell = async (value: unknown): Promise<void> => {
    const message: unknown = structuredClone(value);
    await setImmediate();
    await options.receive(message);
  };
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (value: unknown) => void tell(value),
      getState: () => current,
      setState: (next: unknown) => {
        current = structuredClone(next);
      },
    }),
    postMessage: (data: unknown) => void post(data),
    savedState: () => current,
  });
  const post = async (message: unknown): Promise<void> => {
    const data: unknown = structuredClone(message);
    await setImmediate();
    window.dispatchEvent(new window.MessageEvent('message', { data }));
  };
  const page = new Page(dom, clock);
  await options.prepare?.(page, post);
  window.eval(window.document.querySelector('head script')?.textContent ?? '');
  compiled(options.program).runInContext(dom.getInternalVMContext());
  await page.settle();
  return { page, errors, state: () => current, post, close: () => window.close() };
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

/** The translations that VS Code loads for this language. */
export function textsIn(language: string): PageTexts {
  const file = path.join(inProject('l10n'), `bundle.l10n.${language}.json`);
  return { language, bundle: JSON.parse(readFileSync(file, 'utf8')) as PageTexts['bundle'] };
}
