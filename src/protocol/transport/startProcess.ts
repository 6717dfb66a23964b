import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import spawn from 'cross-spawn';
import { AcpError } from '../errors';
import { type Environment, mergeEnvironments } from './environment';
import { withoutHostVariables } from './hostVariables';
import { ProcessTree } from './processTree';

export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** Laid over this process's own without what belongs to the editor, later ones on top. */
  readonly environments: readonly Environment[];
  /** `ignore`: nobody types into it, and what waits for input sees its end. */
  readonly stdin: 'pipe' | 'ignore';
  /** Milliseconds between asking it to end and killing it. */
  readonly graceMs: number;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  /** `undefined` when it could not be started; the child's `error` says why. */
  readonly tree: ProcessTree | undefined;
}

/** Which tree a process belongs to, also after it has left its group and lost its parent. */
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
    // A process group of its own, so that it can be ended with all its children.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { pid } = child;
  const mark = `${markName}=${id}`;
  const tree = pid === undefined ? undefined : new ProcessTree({ child, pid, mark, graceMs });
  return { child, tree };
}

/** The folder may be what is missing: the system says the same of it as of the command. */
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

/** Whether a login shell may know where the command is: an editor from the dock may lack a terminal's PATH. */
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
