import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SessionsNode } from '../../../../src/views/sessions/nodes/nodes';
import type { Json } from '../../../fakeAgent/scenario';
import { commandIds } from '../../../support/commandIds';
import { pages, type RunningPage, type Webview } from '../../../support/vscode/webviews';
import { Dialogs } from '../../../vscode/harness/dialogs';
import { ExtensionBench, waitFor } from '../../../vscode/harness/support';
import { beginSession } from '../../extension/beginSession';
import type { Locator } from '../../page/harness/locator';
import type { Page } from '../../page/harness/page';
import { openDom } from '../../page/harness/pageDom';

/** How high the pages are, in pixels: most conversations of these tests have room there. */
const height = 1000;

/**
 * The whole product without VS Code: the extension on the stub of `vscode`, and in each webview that is in view the page
 * that ships, on a DOM in this process. A page's time passes only while a test waits for something in that page.
 */
export class Whole {
  readonly bench: ExtensionBench;
  readonly dialogs = new Dialogs();
  /** Errors of all pages. */
  readonly errors: string[] = [];
  readonly #states = new Map<Webview, unknown>();
  readonly #pages = new Map<vscode.Webview, Promise<Page>>();

  constructor(bench: ExtensionBench) {
    this.bench = bench;
    pages.run = (webview) => this.#run(webview);
  }

  /** The page of the active transcript, or of the session with this title, once it is there. */
  async page(title?: string): Promise<Page> {
    const shown = await waitFor(() => {
      const { active } = this.bench.api.panels;
      const session = this.bench.api.sessions.all.find((one) => one.title === title);
      const panel = session && this.bench.api.panels.find(session.agent.id, session.info.sessionId);
      return this.#pages.get((title === undefined ? active : panel)?.panel.webview as Webview);
    }, 'the page');
    return shown;
  }

  /** Shows the sessions at a glance: their page. */
  async glance(): Promise<Page> {
    await vscode.commands.executeCommand(commandIds.showGlance);
    return waitFor(
      () => [...this.#pages].find(([webview]) => programOf(webview) === 'glance')?.[1],
      'the view',
    );
  }

  /** Shows the page of a new session, as the button of the view does. */
  async newPage(): Promise<Page> {
    await vscode.commands.executeCommand(commandIds.newSession);
    const page = await this.page();
    await composer(page).waitFor();
    return page;
  }

  /** Begins a session, with the only agent. */
  async newSession(): Promise<Page> {
    const before = this.bench.api.panels.active;
    await beginSession(this.bench.api);
    await waitFor(() => this.bench.api.panels.active !== before, 'the new tab');
    const page = await this.page();
    await composer(page).waitFor();
    return page;
  }

  /** Lets the scripted agent go on, where it waits for that. */
  goOn(at = 0): Promise<void> {
    return writeFile(this.bench.file(`go-on-${at}`), '');
  }

  /** Clicks a row of the sessions tree: its session's page. */
  async open(name: RegExp): Promise<Page> {
    await this.bench.click(await this.row(name));
    return this.page();
  }

  /** A row of the sessions tree, by its accessible name, once it is there. */
  row(name: RegExp): Promise<SessionsNode> {
    return waitFor(() => this.#row(name), `the row ${name}`);
  }

  async noRow(name: RegExp): Promise<void> {
    await waitFor(() => this.#row(name) === undefined, `the row ${name} to go`);
  }

  async dispose(): Promise<void> {
    this.dialogs.dispose();
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await this.bench.dispose();
    delete pages.run;
  }

  #row(name: RegExp): SessionsNode | undefined {
    return this.bench.nodes().find((node) => {
      const { label, accessibilityInformation } = this.bench.api.view.getTreeItem(node);
      return name.test(accessibilityInformation?.label ?? (label as string));
    });
  }

  #run(webview: Webview): RunningPage {
    const opening = openDom({
      program: programOf(webview),
      html: webview.html,
      height,
      state: this.#states.get(webview),
      receive: (message) => webview.received.fire(message),
    });
    this.#pages.set(
      webview,
      opening.then(({ page }) => page),
    );
    return {
      post: (message) => void opening.then(({ post }) => post(message)),
      close: () => {
        this.#pages.delete(webview);
        void opening.then(({ state, errors, close }) => {
          this.#states.set(webview, state());
          this.errors.push(...errors);
          close();
        });
      },
    };
  }
}

function programOf({ html }: vscode.Webview): 'glance' | 'transcript' {
  return html.includes('/glance.js') ? 'glance' : 'transcript';
}

/** Agents by id, as in the setting `acpSessions.agents`. */
type Entries = Readonly<Record<string, Json>>;

export type Agents = (bench: ExtensionBench) => Entries | Promise<Entries>;

/** Runs the whole product with these agents for each test; a page that reports an error fails its test. */
export function useWhole(agents: Agents): Readonly<{ current: Whole }> {
  let whole: Whole | undefined;
  beforeEach(async () => {
    const bench = await ExtensionBench.create();
    whole = new Whole(bench);
    await bench.setAgents(await agents(bench));
    // As in a window whose sessions view is open.
    bench.nodes();
  });
  afterEach(async () => {
    await whole?.dispose();
    assert.deepEqual(whole?.errors, []);
  });
  return {
    get current() {
      assert.ok(whole, 'it is made before each test');
      return whole;
    },
  };
}

/** The input of the prompt. */
function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Prompt' });
}

/** Writes and sends a prompt; the trailing space closes the suggestions for a command. */
export async function send(page: Page, prompt: string): Promise<void> {
  await composer(page).fill(`${prompt} `);
  await composer(page).press('Enter');
}

/** Presses Escape once in the prompt and twice more outside it. */
export async function stop(page: Page): Promise<void> {
  await composer(page).press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

/** The line of a subagent, folded or not, once it is in this state. */
export function folded(page: Page, title: string, state: string, open: boolean): Locator {
  return page
    .locator(`.subagent-line button[aria-expanded="${open}"]`)
    .filter({ hasText: title })
    .filter({ hasText: state })
    .first();
}
