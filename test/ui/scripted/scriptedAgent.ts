import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fakeAgent } from '../../fakeAgent/scenario';
import { useAgents, type Workbench } from '../harness/workbench';
import { version1Commands } from './commands';
import { version2Commands } from './version2Commands';

/** The prices in the file `prices.txt` of the window's folder. */
export const prices = 'Fern 4.50\n';

/** Gives the window one agent, which has commands for what only some agents do. */
export function useScriptedAgent(ui: Readonly<Workbench>, protocol: '1' | '2'): void {
  useAgents(ui, ({ workspace }) => {
    writeFileSync(path.join(workspace, 'prices.txt'), prices);
    const command = fakeAgent(
      protocol === '2'
        ? { version: 2, commands: version2Commands }
        : { commands: version1Commands(workspace) },
    );
    return { [`fake${protocol}`]: { title: 'Fake Agent', protocol, ...command } };
  });
}
