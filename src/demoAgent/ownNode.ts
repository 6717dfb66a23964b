import process from 'node:process';

const isEditor = process.versions['electron'] !== undefined;

/** Whether a client can run `ownNode`: on Windows, no command line makes an editor run as plain Node. */
export const clientCanRunNode = !(isEditor && process.platform === 'win32');

interface Program {
  readonly command: string;
  readonly args: string[];
}

/**
 * Runs a script with this agent's Node, which may be an editor's. `env` sets the variable, because a
 * client may refuse to set it.
 */
export function ownNode(script: string): Program {
  return isEditor
    ? { command: '/usr/bin/env', args: ['ELECTRON_RUN_AS_NODE=1', process.execPath, '-e', script] }
    : { command: process.execPath, args: ['-e', script] };
}
