import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import spawn from 'cross-spawn';
import type { Terminal, TerminalOptions, Terminals } from '../model/ports';
import type { TerminalExit, TerminalOutput } from '../protocol/agentRequests';
import { AcpError } from '../protocol/errors';
import { type Environment, mergeEnvironments } from '../protocol/transport/environment';
import { loginShellEnvironment } from '../protocol/transport/loginShellEnvironment';
import { endTree, guardTree, isTreeAlive } from '../protocol/transport/processTree';
import { deferred } from '../util/async';
import type { Disposable } from '../util/disposable';
import { Emitter } from '../util/emitter';
import { OutputTail } from './outputTail';

export interface ChildTerminalsOptions {
  /** Nothing is started unless it is trusted. */
  readonly workspace: { readonly trusted: boolean };
  /** Where a command that isn't found is looked for once more; default: the login shell's. */
  readonly loginEnvironment?: () => Promise<Environment | undefined>;
  /** Milliseconds between asking a command to end and killing it. */
  readonly graceMs?: number;
}

const defaultGraceMs = 1000;
const defaultOutputBytes = 1024 * 1024;
const maxOutputBytes = 16 * 1024 * 1024;
const pollMs = 20;
/** How long output is still waited for when the command itself has ended. */
const drainMs = 1000;
/** No more output than this is taken in a stretch of time: a flood is slowed down instead of eating the host. */
const stretchMs = 50;
const stretchBytes = 1024 * 1024;

/** Runs agents' commands as child processes, without a shell and without a terminal device (TE-2). */
export class ChildTerminals implements Terminals {
  readonly #options: ChildTerminalsOptions;

  constructor(options: ChildTerminalsOptions) {
    this.#options = options;
  }

  async create(options: TerminalOptions): Promise<Terminal> {
    const { workspace, graceMs = defaultGraceMs } = this.#options;
    if (!workspace.trusted) {
      throw new AcpError('untrusted', 'The workspace is not trusted');
    }
    return new ChildTerminal(await this.#start(options), options.outputByteLimit, graceMs);
  }

  async #start(options: TerminalOptions): Promise<ChildProcess> {
    const { command, cwd } = options;
    const { loginEnvironment = loginShellEnvironment } = this.#options;
    try {
      return await startProcess(options, {});
    } catch (error) {
      if (!(await isFolder(cwd))) {
        const text = `The folder in which ${command} should start is not there: ${cwd}`;
        throw new AcpError('notFound', text, { subject: command, missingFolder: cwd });
      }
      // An editor that was started from the dock may lack the PATH of the person's shell.
      const environment =
        isNotFound(error) && !/[\\/]/.test(command) ? await loginEnvironment() : undefined;
      if (environment === undefined) {
        throw startError(command, error);
      }
      return startProcess(options, environment).catch((later: unknown) => {
        throw startError(command, later);
      });
    }
  }
}

function startProcess(
  { command, args, env, cwd }: TerminalOptions,
  loginEnvironment: Environment,
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      cwd,
      env: mergeEnvironments([process.env, loginEnvironment, env]),
      // Nobody types into it: what waits for input sees its end.
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that it can be ended with all its children.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    child.on('error', reject);
    child.once('spawn', () => resolve(child));
  });
}

function isNotFound(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function startError(command: string, cause: unknown): AcpError {
  const facts = { subject: command };
  if (isNotFound(cause)) {
    return new AcpError('notFound', `${command} was not found`, facts, { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AcpError('notExecutable', `${command} can't be run: ${reason}`, facts, { cause });
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}

class ChildTerminal implements Terminal {
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;
  readonly #child: ChildProcess;
  readonly #pid: number;
  readonly #guard: Disposable;
  readonly #tail: OutputTail;
  readonly #graceMs: number;
  readonly #exited = deferred<TerminalExit>();
  #hasExited = false;
  #status: TerminalExit | undefined;
  #terminating: Promise<void> | undefined;
  #stretch: { bytes: number } | undefined;

  constructor(child: ChildProcess, outputByteLimit = defaultOutputBytes, graceMs: number) {
    this.#child = child;
    this.#pid = child.pid ?? 0;
    this.#guard = guardTree(this.#pid);
    this.#tail = new OutputTail(Math.min(Math.max(0, Math.floor(outputByteLimit)), maxOutputBytes));
    this.#graceMs = graceMs;
    this.#listen(child.stdout);
    this.#listen(child.stderr);
    child.on('exit', () => this.#processExited());
    child.on('close', (exitCode, signal) => this.#finish({ exitCode, signal }));
  }

  /** TE-4. */
  get output(): TerminalOutput {
    const { text: output, truncated } = this.#tail;
    return { output, truncated, ...(this.#status && { exitStatus: this.#status }) };
  }

  /** TE-5. */
  get exited(): Promise<TerminalExit> {
    return this.#exited.promise;
  }

  /** TE-6: asks, and kills what doesn't listen; afterwards the exit status is there. */
  async kill(): Promise<void> {
    await this.#terminate();
    await this.exited;
  }

  dispose(): void {
    void this.#terminate();
  }

  #listen(stream: Readable | null): void {
    // One for each stream, so that a character that comes in two pieces survives what comes in between.
    const decoder = new StringDecoder('utf8');
    stream?.on('data', (bytes: Buffer) => {
      this.#write(decoder.write(bytes));
      this.#slowDown(bytes.length);
    });
    stream?.on('end', () => this.#write(decoder.end()));
  }

  #write(text: string): void {
    if (text !== '' && this.#status === undefined) {
      this.#tail.push(text);
      this.#changed.fire(text);
    }
  }

  #slowDown(bytes: number): void {
    if (this.#stretch === undefined) {
      this.#stretch = { bytes: 0 };
      setTimeout(() => {
        this.#stretch = undefined;
        this.#child.stdout?.resume();
        this.#child.stderr?.resume();
      }, stretchMs);
    }
    this.#stretch.bytes += bytes;
    if (this.#stretch.bytes > stretchBytes) {
      this.#child.stdout?.pause();
      this.#child.stderr?.pause();
    }
  }

  #processExited(): void {
    this.#hasExited = true;
    // What it started goes with it.
    void this.#terminate();
    // A process that has left the group may hold the pipes for ever.
    const timer = setTimeout(() => {
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
    }, drainMs);
    this.#child.on('close', () => clearTimeout(timer));
  }

  #terminate(): Promise<void> {
    this.#terminating ??= this.#terminateOnce();
    return this.#terminating;
  }

  async #terminateOnce(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!this.#isGone) {
        endTree(this.#pid, signal);
        await this.#waitUntilGone();
      }
    }
    if (this.#isGone) {
      this.#guard.dispose();
    }
    if (!this.#hasExited) {
      // Not even killing it helped; it must not keep anybody waiting.
      this.#finish({ exitCode: null, signal: 'SIGKILL' });
    }
  }

  get #isGone(): boolean {
    return this.#hasExited && !isTreeAlive(this.#pid);
  }

  async #waitUntilGone(): Promise<void> {
    const deadline = performance.now() + this.#graceMs;
    while (!this.#isGone && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  #finish(status: TerminalExit): void {
    if (this.#status === undefined) {
      this.#status = status;
      this.#tail.end();
      this.#exited.resolve(status);
      this.#changed.fire('');
    }
  }
}
