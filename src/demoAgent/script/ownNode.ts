import process from 'node:process';
import type { DemoCapabilities } from '../vocabulary/client';

const isEditor = process.versions['electron'] !== undefined;

/**
 * Whether the output of `ownNode` can be shown as it comes: on Windows, no command line makes a client run an editor as
 * plain Node.
 */
export function canShowNode({ terminal, ownWork }: DemoCapabilities): boolean {
  return ownWork === true || (terminal === true && !(isEditor && process.platform === 'win32'));
}

interface Program {
  readonly command: string;
  readonly args: string[];
}

/**
 * Runs a script with this agent's Node, which may be an editor's. `env` sets the variable, because a
 * client may refuse to set it; this agent itself has it.
 */
export function ownNode(script: string, { ownWork }: DemoCapabilities): Program {
  return isEditor && !ownWork
    ? { command: '/usr/bin/env', args: ['ELECTRON_RUN_AS_NODE=1', process.execPath, '-e', script] }
    : { command: process.execPath, args: ['-e', script] };
}
