import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Host, type HostOptions, startHost } from './host';
import { failureScreenshot } from './screenshot';
import { openSessionsView, openWindow, type WindowOptions } from './window';

/** The options of the window; made in a folder that is deleted with the window. */
export type WorkbenchPlan = (folder: string) => Planned | Promise<Planned>;

interface Planned extends HostOptions, WindowOptions {
  /** Runs before VS Code's first window opens. */
  beforeWindow?: (host: Host) => Promise<void>;
}

/** VS Code and a window on it, with the sessions view open. */
export interface Workbench {
  /** The folder that the plan was given. */
  folder: string;
  workspace: string;
  /** The folder of VS Code's own data. */
  dataFolder: string;
  page: Page;
  /** Errors in the window's console so far. */
  errors: readonly string[];
}

/** Runs something in a separate window and removes every trace of it afterward. */
export async function inWorkbench<T>(
  name: string,
  plan: WorkbenchPlan,
  run: (workbench: Workbench) => Promise<T>,
): Promise<T> {
  const ending: (() => Promise<void>)[] = [];
  try {
    const workbench = await start(name, plan, ending);
    return await run(workbench).catch(async (error: unknown) => {
      // A closed window can't be captured; report the original error.
      await failureScreenshot(workbench.page, name).catch(() => undefined);
      throw error;
    });
  } finally {
    await end(ending);
  }
}

/** A window for all tests of a suite; a screenshot is taken after each failed test. */
export function useWorkbench(name: string, plan: WorkbenchPlan): Readonly<Workbench> {
  const ending: (() => Promise<void>)[] = [];
  let workbench: Workbench | undefined;

  before(async () => {
    workbench = await start(name, plan, ending);
  });

  afterEach(async function () {
    const test = this.currentTest;
    // After a hook that failed, the test has no result at all.
    if (test !== undefined && !test.isPassed() && !test.isPending()) {
      const { page } = started();
      await failureScreenshot(page, `${name}-${test.title.slice(0, 60)}`);
      // A dialog or a menu that is left open would be in the way of all tests that follow.
      for (let left = 0; left < 3; left++) await page.keyboard.press('Escape');
    }
  });

  after(() => end(ending));

  const started = (): Workbench => {
    if (workbench === undefined) {
      throw new Error('The window opens before the first test');
    }
    return workbench;
  };
  return {
    get folder() {
      return started().folder;
    },
    get workspace() {
      return started().workspace;
    },
    get dataFolder() {
      return started().dataFolder;
    },
    get page() {
      return started().page;
    },
    get errors() {
      return started().errors;
    },
  };
}

/** Agents by id, as in the setting `acpSessions.agents`. */
export type AgentEntries = Readonly<Record<string, unknown>>;

/** Else, what is kept of an agent that is gone has a row. */
const nothingKept = {
  'acpSessions.sessions.rememberLists': false,
  'acpSessions.transcripts.cacheSizeLimit': 0,
};

/** Gives the window these agents instead of those that it has, for the tests of a suite that shares it with others. */
export function useAgents(
  ui: Readonly<Workbench>,
  agents: (workbench: Readonly<Workbench>) => AgentEntries | Promise<AgentEntries>,
  others: Readonly<Record<string, unknown>> = {},
): void {
  before(async () => {
    // The tooltip of a row that comes to be below the mouse would cover other rows.
    await ui.page.mouse.move(900, 500);
    const entries = { demo: null, ...(await agents(ui)) };
    await changeSettings(ui, { 'acpSessions.agents': entries, ...nothingKept, ...others });
  });
}

let changes = 0;

/** Changes settings of the running window, and waits until it has read them: its title is one of them. */
export async function changeSettings(
  { page, dataFolder }: Readonly<Workbench>,
  changed: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = path.join(dataFolder, 'Machine', 'settings.json');
  const earlier = await readFile(file, 'utf8');
  const title = `settings ${++changes}`;
  const settings = { ...(JSON.parse(earlier) as object), ...changed, 'window.title': title };
  // Written over the earlier text: the window would read a file that is emptied first as one without settings.
  const text = JSON.stringify(settings).padEnd(earlier.length);
  const isRead = (): Promise<boolean> =>
    page
      .waitForFunction((wanted) => document.title === wanted, title, { timeout: 3_000 })
      .then(
        () => true,
        () => false,
      );
  // A window that has just opened doesn't watch the file yet.
  for (let attempt = 0; attempt < 20; attempt++) {
    await writeFile(file, text, { flag: 'r+' });
    if (await isRead()) return;
  }
  throw new Error('The window doesn’t read its settings');
}

async function start(
  name: string,
  plan: WorkbenchPlan,
  ending: (() => Promise<void>)[],
): Promise<Workbench> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), `acp-sessions-${name}-`)));
  ending.unshift(() => rm(folder, { recursive: true, force: true }));
  const options = await plan(folder);
  const host = await startHost(options);
  ending.unshift(() => host.dispose());
  await options.beforeWindow?.(host);
  const window = await openWindow(host, options);
  ending.unshift(() => window.close());
  await openSessionsView(window.page);
  const { workspace, dataFolder } = host;
  return { folder, workspace, dataFolder, page: window.page, errors: window.errors };
}

async function end(ending: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of ending) {
    await step();
  }
}
