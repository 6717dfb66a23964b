import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type HostOptions, startHost } from './host';
import { screenshot } from './screenshot';
import { openSessionsView, openWindow, type WindowOptions } from './window';

/** What is opened; made in a folder that goes when the window goes. */
export type WorkbenchPlan = (folder: string) => Planned | Promise<Planned>;

type Planned = HostOptions & WindowOptions;

/** A VS Code and a window on it, with the sessions view showing. */
export interface Workbench {
  /** What the plan was made in. */
  folder: string;
  workspace: string;
  page: Page;
  /** What went wrong in the window so far, by its console. */
  errors: readonly string[];
}

/** Runs something in a window of its own; nothing of that window is left afterwards. */
export async function inWorkbench<T>(
  name: string,
  plan: WorkbenchPlan,
  run: (workbench: Workbench) => Promise<T>,
): Promise<T> {
  const ending: (() => Promise<void>)[] = [];
  try {
    const workbench = await start(name, plan, ending);
    return await run(workbench).catch(async (error: unknown) => {
      // A window that is gone has no picture; what went wrong is the error.
      await screenshot(workbench.page, `${name}-failed`).catch(() => undefined);
      throw error;
    });
  } finally {
    await end(ending);
  }
}

/** A window from before a suite's first test until after its last; a picture is taken after each that fails. */
export function useWorkbench(name: string, plan: WorkbenchPlan): Readonly<Workbench> {
  const ending: (() => Promise<void>)[] = [];
  let workbench: Workbench | undefined;

  before(async () => {
    workbench = await start(name, plan, ending);
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed()) {
      await screenshot(started().page, `${name}-${this.currentTest.title.slice(0, 60)}-failed`);
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
  const window = await openWindow(host, options);
  ending.unshift(() => window.close());
  window.page.setDefaultTimeout(30_000);
  await openSessionsView(window.page);
  return { folder, workspace: options.workspace, page: window.page, errors: window.errors };
}

async function end(ending: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of ending) {
    await step();
  }
}
