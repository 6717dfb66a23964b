import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import type { Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { deferred } from '../../util/async';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { AcpError } from '../errors';
import { type Environment, mergeEnvironments } from './environment';
import { loginShellEnvironment } from './loginShellEnvironment';
import { endTree, guardTree, isTreeAlive } from './processTree';
import { StderrLines } from './stderrLines';
import type { Transport, TransportEnd } from './transport';

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Laid over this process's own. */
  readonly env?: Environment;
  readonly cwd?: string | undefined;
  /** A line that the agent wrote to stderr; no more than 200 a second. */
  readonly onStderr?: (line: string) => void;
  /** Where a command that isn't found is looked for once more; default: the login shell's. */
  readonly loginEnvironment?: () => Promise<Environment | undefined>;
  /** Milliseconds between the steps of ending the process: input closed, terminated, killed. */
  readonly graceMs?: number;
}

/** Starts an agent as a child process and talks to it over its stdin and stdout (TR-3). */
export function spawnAgent(options: SpawnOptions): Transport {
  return new StdioTransport(options);
}

const pollMs = 20;
/** How long stdout may be silent after the process has ended, while somebody still holds it open. */
const drainMs = 1000;

class StdioTransport implements Transport {
  readonly #data = new Emitter<Uint8Array>();
  readonly #end = new Emitter<TransportEnd>();
  readonly onData = this.#data.event;
  readonly onEnd = this.#end.event;
  readonly #options: SpawnOptions;
  readonly #stderr: StderrLines;
  readonly #stdin = deferred<Writable>();
  readonly #ended = deferred<TransportEnd>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #guard: Disposable | undefined;
  #exit: string | undefined;
  #closing = false;
  #done = false;
  #paused = false;
  #terminating: Promise<void> | undefined;

  constructor(options: SpawnOptions) {
    this.#options = options;
    this.#stderr = new StderrLines(options.onStderr ?? (() => undefined));
    // Whoever writes hears of it; nobody has to.
    this.#stdin.promise.catch(() => undefined);
    this.#start(undefined);
  }

  async write(bytes: string): Promise<void> {
    const stdin = await this.#stdin.promise;
    const failed = await new Promise<boolean>((resolve) => {
      stdin.write(bytes, (error) => resolve(Boolean(error)));
    });
    if (failed) {
      // An agent that doesn't listen any more is of no use.
      void this.#terminate();
      const { error } = await this.#ended.promise;
      throw error ?? closedError();
    }
  }

  pause(): void {
    this.#paused = true;
    this.#child?.stdout.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#child?.stdout.resume();
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#child?.pid === undefined) {
      this.#finish();
    } else {
      await this.#terminate();
    }
    await this.#ended.promise;
  }

  #start(loginEnvironment: Environment | undefined): void {
    const { command, args, cwd, env = {} } = this.#options;
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(command, [...args], {
        cwd,
        env: mergeEnvironments([process.env, loginEnvironment ?? {}, env]),
        stdio: 'pipe',
        // A process group of its own, so that it can be ended with all its children.
        detached: process.platform !== 'win32',
        windowsHide: true,
      }) as ChildProcessWithoutNullStreams;
    } catch (error) {
      process.nextTick(() => this.#finish(notExecutable(command, error)));
      return;
    }
    this.#child = child;
    child.on('error', (error: NodeJS.ErrnoException) => {
      // On Windows a command that isn't found is one that cmd.exe has failed to find.
      if (child.pid === undefined || error.code === 'ENOENT') {
        this.#child = undefined;
        this.#guard?.dispose();
        void this.#failToStart(error, loginEnvironment !== undefined);
      }
    });
    child.stdin.on('error', () => undefined);
    child.once('spawn', () => this.#listen(child));
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    this.#guard = guardTree(child.pid ?? 0);
    child.stdout.on('data', (bytes: Buffer) => {
      if (!this.#done) {
        this.#data.fire(bytes);
      }
    });
    child.stdout.on('end', () => void this.#terminate());
    child.stderr.on('data', (bytes: Buffer) => this.#stderr.push(bytes));
    child.on('exit', (code, signal) =>
      this.#exited(child, signal ? `signal ${signal}` : `exit code ${code}`),
    );
    child.on('close', () => {
      if (this.#child === child) {
        this.#stderr.end();
        this.#finish(this.#exitError());
      }
    });
    if (this.#paused) {
      child.stdout.pause();
    }
    this.#stdin.resolve(child.stdin);
  }

  async #failToStart(error: NodeJS.ErrnoException, isRetry: boolean): Promise<void> {
    const { command, cwd, loginEnvironment = loginShellEnvironment } = this.#options;
    if (cwd !== undefined && !(await isFolder(cwd))) {
      const text = `The folder in which ${command} should start is not there: ${cwd}`;
      this.#finish(new AcpError('notFound', text, { subject: command, missingFolder: cwd }));
      return;
    }
    if (error.code !== 'ENOENT') {
      this.#finish(notExecutable(command, error));
      return;
    }
    const isBare = !/[\\/]/.test(command);
    const environment = isBare && !isRetry ? await loginEnvironment() : undefined;
    if (this.#done) {
      return;
    }
    if (environment) {
      this.#start(environment);
    } else {
      this.#finish(new AcpError('notFound', `${command} was not found`, { subject: command }));
    }
  }

  #exited(child: ChildProcessWithoutNullStreams, exit: string): void {
    this.#exit = exit;
    // What it started goes with it.
    void this.#terminate();
    let quietMs = 0;
    child.stdout.on('data', () => (quietMs = 0));
    const timer = setInterval(() => {
      quietMs += pollMs;
      if (quietMs > drainMs) {
        // A process that left the group holds the pipes.
        child.stdout.destroy();
        child.stderr.destroy();
      }
    }, pollMs);
    child.on('close', () => clearInterval(timer));
  }

  #terminate(): Promise<void> {
    this.#terminating ??= this.#terminateOnce();
    return this.#terminating;
  }

  /** TR-8: input closed, then terminated, then killed, with time in between. */
  async #terminateOnce(): Promise<void> {
    const pid = this.#child?.pid ?? 0;
    this.#child?.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#isGone(pid)) {
        break;
      }
      endTree(pid, signal);
    }
    if (await this.#isGone(pid)) {
      this.#guard?.dispose();
    }
    if (this.#exit === undefined) {
      // Not even killing it helped; it must not keep us waiting.
      this.#finish(new AcpError('exited', `${this.#options.command} can't be ended`));
    }
  }

  /** Whether process and children are gone, or go within the time of grace. */
  async #isGone(pid: number): Promise<boolean> {
    const deadline = performance.now() + (this.#options.graceMs ?? 1000);
    while (this.#exit === undefined || isTreeAlive(pid)) {
      if (performance.now() > deadline) {
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    return true;
  }

  #exitError(): AcpError {
    const { command } = this.#options;
    const exit = this.#exit ?? 'no exit code';
    return new AcpError('exited', `${command} ended with ${exit}`, {
      exit,
      stderr: this.#stderr.tail,
      subject: command,
    });
  }

  #finish(error?: AcpError): void {
    if (this.#done) {
      return;
    }
    this.#done = true;
    const end = this.#closing || !error ? {} : { error };
    this.#stdin.reject(error ?? closedError());
    this.#ended.resolve(end);
    this.#end.fire(end);
  }
}

function closedError(): AcpError {
  return new AcpError('cancelled', 'The connection was closed');
}

function notExecutable(command: string, cause: unknown): AcpError {
  const text = `${command} can't be run: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new AcpError('notExecutable', text, { subject: command }, { cause });
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
