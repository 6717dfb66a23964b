import { mkdtemp, realpath, rm } from 'node:fs/promises';
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
    if (this.currentTest?.isFailed()) {
      await failureScreenshot(started().page, `${name}-${this.currentTest.title.slice(0, 60)}`);
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
