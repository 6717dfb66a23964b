import { fakeAgent } from '../../../fakeAgent/scenario';
import { workspaceFolder } from '../../../vscode/harness/support';
import { version1Commands } from './version1Commands';
import { version2Commands, version2Requests } from './version2Commands';
import type { Agents } from './whole';

/** An agent that has commands for what only some agents do. */
export function scriptedAgent(protocol: '1' | '2'): Agents {
  return ({ folder }) => {
    const command = fakeAgent(
      protocol === '2'
        ? { version: 2, commands: version2Commands(folder), on: version2Requests }
        : { commands: version1Commands(workspaceFolder(), folder) },
    );
    return { [`fake${protocol}`]: { title: 'Fake Agent', protocol, ...command } };
  };
}
