import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from '../../scripts/paths.mjs';
import type { FakeAgentCommand } from '../fakeAgent/scenario';
import { inWorkbench } from '../ui/harness/workbench';

/** With commands that show what VS Code itself takes: an empty panel, a list that looks for nothing. */
const extension = path.join(projectFolder, 'test', 'bench', 'vscodeAlone');

/** Measures in a window of VS Code whose only agent works in a folder of its own. */
export function inWindow<T>(
  agentOf: (folder: string) => FakeAgentCommand,
  measure: (page: Page, folder: string) => Promise<T>,
): Promise<T> {
  const plan = (folder: string) => {
    const { command, args, env } = agentOf(folder);
    const agents = { demo: null, bench: { title: 'Bench', command, args, env } };
    return { workspace: folder, settings: { 'acpSessions.agents': agents }, extension };
  };
  return inWorkbench('bench', plan, ({ page, folder }) => measure(page, folder));
}
