import process from 'node:process';
import type { ExtensionContext } from 'vscode';
import type { AgentConfig } from '../../model/ports';

/** How an agent starts that is part of the extension. */
export type BundledAgent = Pick<AgentConfig, 'command' | 'args' | 'env'>;

/** `name`: of its bundle. */
export function bundledAgent(
  context: Pick<ExtensionContext, 'asAbsolutePath'>,
  name: string,
  args: readonly string[],
): BundledAgent {
  return {
    command: process.execPath,
    args: [context.asAbsolutePath(`dist/${name}.js`), ...args],
    // On a desktop, the extension host runs in VS Code's executable: this makes it plain Node.
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}
