import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import spawn from 'cross-spawn';
import { AcpError } from '../../protocol/rpc/errors';
import { type Environment, mergeEnvironments } from './environment';
import { withoutHostVariables } from './hostVariables';
import { ProcessTree } from './processTree';

export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** Added to this process's own environment without the editor's variables; later ones win. */
  readonly environments: readonly Environment[];
  /** `ignore`: a program that waits for input sees its end at once. */
  readonly stdin: 'pipe' | 'ignore';
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  /** `undefined` if it could not be started; the child's `error` event says why. */
  readonly tree: ProcessTree | undefined;
}

/** The variable that tells which tree a process belongs to, even after it has left its group and lost its parent. */
const markName = 'ACP_SESSIONS_PROCESS';

/** Starts a program without a shell, as the root of a tree that can be ended as a whole. May throw. */
export function startProcess(options: StartOptions): StartedProcess {
  const { command, args, cwd, environments, stdin, graceMs } = options;
  const id = crypto.randomUUID();
  const own = withoutHostVariables(process.env);
  const child = spawn(command, [...args], {
    cwd,
    env: mergeEnvironments([own, ...environments, { [markName]: id }]),
    stdio: [stdin, 'pipe', 'pipe'],
    // In a process group of its own, so that it can be ended with all its children.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { pid } = child;
  const mark = `${markName}=${id}`;
  const tree = pid === undefined ? undefined : new ProcessTree({ child, pid, mark, graceMs });
  return { child, tree };
}

/** Why a start failed. The system reports a missing folder in the same way as a missing command. */
export async function explainStart(
  command: string,
  cwd: string | undefined,
  cause: unknown,
): Promise<AcpError> {
  if (cwd !== undefined && !(await isFolder(cwd))) {
    const text = `The folder in which ${command} should start is not there: ${cwd}`;
    return new AcpError('notFound', text, { subject: command, missingFolder: cwd });
  }
  if (isNotFound(cause)) {
    return new AcpError('notFound', `${command} was not found`, { subject: command }, { cause });
  }
  const text = `${command} can't be run: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new AcpError('notExecutable', text, { subject: command }, { cause });
}

/** Whether a login shell may know the command, since an editor started from the desktop may lack a terminal's PATH. */
export function mayBeElsewhere(command: string, cause: unknown): boolean {
  return isNotFound(cause) && !/[\\/]/.test(command);
}

function isNotFound(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
