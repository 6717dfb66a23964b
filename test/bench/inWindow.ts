import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from '../../scripts/paths.mjs';
import type { FakeAgentCommand } from '../fakeAgent/scenario';
import { inWorkbench } from '../ui/harness/workbench';
import { Painting } from './painting';
import { putWebviewsApart } from './webviewsApart';

/** An extension that shows VS Code's own cost: an empty panel, a list without a search, changes, and a static tree. */
const extension = path.join(projectFolder, 'test', 'bench', 'vscodeAlone');

export interface MeasuredWindow {
  readonly page: Page;
  /** The agent's working folder. */
  readonly folder: string;
  readonly painting: Painting;
}

/** The settings and extensions of a measured window. */
export function planOf(
  { command, args, env }: FakeAgentCommand,
  workspace: string,
  own: Readonly<Record<string, unknown>> = {},
) {
  const agents = { demo: null, bench: { title: 'Bench', command, args, env } };
  const settings = {
    'acpSessions.agents': agents,
    'acpSessions.transcripts.cacheSizeLimit': 0,
    ...own,
  };
  return { workspace, settings, extension };
}

/**
 * Measures in a window of VS Code whose only agent works in a separate folder.
 *
 * @param texts the texts to watch for in webviews, one per webview
 * @param own settings that matter to what is measured; transcripts are cached only if they say so
 */
export async function inWindow<T>(
  agentOf: (folder: string) => FakeAgentCommand,
  measure: (window: MeasuredWindow) => Promise<T>,
  texts: readonly string[] = [],
  own: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  let frames: { close(): void } | undefined;
  const painting = new Painting();
  const prepare = async (page: Page): Promise<void> => {
    frames = await putWebviewsApart(page);
    await painting.listen(page, texts);
  };
  const plan = (folder: string) => ({ ...planOf(agentOf(folder), folder, own), prepare });
  try {
    return await inWorkbench('bench', plan, ({ page, folder }) =>
      measure({ page, folder, painting }),
    );
  } finally {
    frames?.close();
  }
}
