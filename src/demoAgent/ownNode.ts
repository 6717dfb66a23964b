import process from 'node:process';

const isEditor = process.versions['electron'] !== undefined;

/** Whether a client can run `ownNode`: nothing on Windows makes an editor a plain Node by a command line. */
export const clientCanRunNode = !(isEditor && process.platform === 'win32');

interface Program {
  readonly command: string;
  readonly args: string[];
}

/** Runs a script with the Node that runs this agent, which may be an editor. A client may refuse the variable for it. */
export function ownNode(script: string): Program {
  return isEditor
    ? { command: '/usr/bin/env', args: ['ELECTRON_RUN_AS_NODE=1', process.execPath, '-e', script] }
    : { command: process.execPath, args: ['-e', script] };
}
