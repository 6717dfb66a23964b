import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import spawn from 'cross-spawn';
import { childEnvironment } from './childEnvironment';
import type { Environment } from './environment';
import { ProcessTree } from './processTree';
import { windowsProgram } from './windowsPrograms';

export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the arguments are joined as they are on Windows: cmd.exe reads quotes in its own way. */
  readonly isVerbatim?: boolean;
  readonly cwd: string | undefined;
  /** Added to this process's environment without the editor's variables; later ones win. */
  readonly environments: readonly Environment[];
  /** Variables of this process that the program doesn't get. */
  readonly withoutVariables?: RegExp;
  /** `ignore`: a program that reads stdin gets an immediate end of file. */
  readonly stdin: 'pipe' | 'ignore';
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  /** `undefined` if the process couldn't be started; the child's `error` event has the reason. */
  readonly tree: ProcessTree | undefined;
}

/**
 * The variable that identifies a process's tree, even after the process has left its group and lost
 * its parent.
 */
const markName = 'ACP_SESSIONS_PROCESS';

/**
 * Starts a program without a shell, as the root of a process tree that can be ended as a whole. May
 * throw; on Windows also if there is no such program, or if it can't be started safely.
 */
export function startProcess(options: StartOptions): StartedProcess {
  const { command, args, isVerbatim, cwd, environments, withoutVariables, stdin, graceMs } =
    options;
  const id = crypto.randomUUID();
  const env = childEnvironment([...environments, { [markName]: id }], withoutVariables);
  const program =
    process.platform === 'win32'
      ? windowsProgram({ command, args, cwd, environment: env })
      : command;
  const child = spawn(program, [...args], {
    cwd,
    env,
    stdio: [stdin, 'pipe', 'pipe'],
    // Its own process group, so that it can be ended with all its children.
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim === true,
  });
  const { pid } = child;
  const mark = `${markName}=${id}`;
  const tree = pid === undefined ? undefined : new ProcessTree({ child, pid, mark, graceMs });
  return { child, tree };
}
