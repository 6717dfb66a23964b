import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fakeAgent } from '../../fakeAgent/scenario';
import { useWorkbench, type Workbench } from '../harness/workbench';
import { version1Commands } from './commands';
import { version2Commands } from './version2Commands';

/** The prices in the file `prices.txt` of the window's folder. */
export const prices = 'Fern 4.50\n';

/** A window with one agent, which has commands for what only some agents do. */
export function useScriptedWorkbench(name: string, protocol: '1' | '2'): Readonly<Workbench> {
  return useWorkbench(name, (folder) => {
    const workspace = path.join(folder, 'shop');
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, 'prices.txt'), prices);
    const { command, args, env } = fakeAgent(
      protocol === '2'
        ? { version: 2, commands: version2Commands }
        : { commands: version1Commands(workspace) },
    );
    return {
      workspace,
      settings: {
        'acpSessions.agents': { demo: null, fake: { title: 'Fake Agent', command, args, env } },
        'acpSessions.protocol': protocol,
        'files.autoSave': 'off',
        'workbench.colorTheme': 'Default Dark Modern',
      },
      viewport: { width: 1280, height: 1000 },
    };
  });
}
