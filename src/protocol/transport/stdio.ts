import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Writable } from 'node:stream';
import { deferred } from '../../util/async';
import { Emitter } from '../../util/emitter';
import type { Environment } from '../../util/process/environment';
import { Flow } from '../../util/process/flow';
import { loginShellEnvironment } from '../../util/process/loginShellEnvironment';
import { findPackageRun } from '../../util/process/packageRunners';
import type { ProcessTree } from '../../util/process/processTree';
import { type StartOptions, startProcess } from '../../util/process/startProcess';
import { linesWithoutSecrets, withoutSecrets } from '../../util/secrets/secretText';
import type { Transport, TransportEnd } from '../agentTransport';
import { AcpError } from '../errors';
import { explainStart, mayBeElsewhere } from './startFailure';
import { StderrLines } from './stderrLines';

/** A process as far as a transport needs it. */
export interface AgentProcess {
  readonly child: Pick<ChildProcess, 'on' | 'once' | 'pid' | 'stdin' | 'stdout' | 'stderr'>;
  readonly tree: Pick<ProcessTree, 'terminate' | 'hasChildren' | 'dispose'> | undefined;
}

export type StartAgent = (options: StartOptions) => AgentProcess;

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to this process's environment without the editor's variables. */
  readonly env?: Environment;
  readonly cwd?: string | undefined;
  /**
   * Called with each line that the agent writes to stderr, for a log: at most 200 per second, and
   * bounded in total.
   */
  readonly onStderr?: (line: string) => void;
  /** Removes secrets from a line written by the agent. */
  readonly redact?: (line: string) => string;
  /**
   * The environment in which a command that wasn't found is looked up again; by default the login
   * shell's.
   */
  readonly loginEnvironment?: () => Promise<Environment | undefined>;
  /** Milliseconds between the steps of ending the process: input closed, terminated, killed. */
  readonly graceMs?: number;
  /** Default: starts a process. */
  readonly start?: StartAgent;
}

/** Starts an agent as a child process and talks to it over its stdin and stdout (TR-3). */
export function spawnAgent(options: SpawnOptions): Transport {
  return new StdioTransport(options);
}

const defaultGraceMs = 1000;
/** Time between two looks at how long stdout has been silent: silence has no event. */
const pollMs = 20;
/**
 * How long stdout may be silent after the process has ended while another process holds it open, in
 * milliseconds.
 */
const drainMs = 1000;

/** Limits the stderr of all agents together. */
const stderrFlow = new Flow(512 * 1024);

class StdioTransport implements Transport {
  readonly #data = new Emitter<Uint8Array>();
  readonly #end = new Emitter<TransportEnd>();
  readonly onData = this.#data.event;
  readonly onEnd = this.#end.event;
  readonly #said = new Emitter<string>();
  readonly onSaid = this.#said.event;
  readonly #options: SpawnOptions;
  readonly #stderr: StderrLines;
  readonly #stdin = deferred<Writable>();
  readonly #ended = deferred<TransportEnd>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #tree: AgentProcess['tree'];
  #exit: string | undefined;
  #closing = false;
  #done = false;
  #paused = false;

  constructor(options: SpawnOptions) {
    this.#options = options;
    this.#stderr = new StderrLines({
      log: options.onStderr ?? (() => undefined),
      say: (line) => this.#said.fire(line),
    });
    // Each write reports the failure; this only prevents an unhandled rejection.
    this.#stdin.promise.catch(() => undefined);
    this.#start(undefined);
  }

  async write(bytes: string): Promise<void> {
    const stdin = await this.#stdin.promise;
    const failed = await new Promise<boolean>((resolve) => {
      stdin.write(bytes, (error) => resolve(Boolean(error)));
    });
    if (failed) {
      // An agent that no longer reads its input is useless.
      void this.#terminate();
      const { error } = await this.#ended.promise;
      throw error ?? closedError();
    }
  }

  get started(): Promise<unknown> {
    return this.#stdin.promise;
  }

  /**
   * Whether a program is being fetched: package managers do, then run it as a child; on Windows it counts as fetching
   * throughout.
   */
  get isFetching(): (() => Promise<boolean>) | undefined {
    const { command, args } = this.#options;
    return findPackageRun(command, args)?.hasChild === true
      ? async () => this.#exit === undefined && (await this.#tree?.hasChildren()) !== true
      : undefined;
  }

  get said(): readonly string[] {
    const { redact = withoutSecrets } = this.#options;
    return linesWithoutSecrets(this.#stderr.tail, redact);
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
    if (this.#tree === undefined) {
      this.#finish();
    } else {
      await this.#terminate();
    }
    await this.#ended.promise;
  }

  #start(loginEnvironment: Environment | undefined): void {
    const { command, args, cwd, env = {}, graceMs = defaultGraceMs } = this.#options;
    const { start = startProcess } = this.#options;
    const environments = [loginEnvironment ?? {}, env];
    const isRetry = loginEnvironment !== undefined;
    let started: AgentProcess;
    try {
      started = start({ command, args, cwd, environments, stdin: 'pipe', graceMs });
    } catch (error) {
      process.nextTick(() => void this.#failToStart(error, isRetry));
      return;
    }
    const child = started.child as ChildProcessWithoutNullStreams;
    this.#child = child;
    this.#tree = started.tree;
    child.on('error', (error: NodeJS.ErrnoException) => {
      // On Windows, it is cmd.exe that fails to find the command.
      if (child.pid === undefined || error.code === 'ENOENT') {
        this.#child = undefined;
        this.#tree?.dispose();
        this.#tree = undefined;
        void this.#failToStart(error, isRetry);
      }
    });
    child.stdin.on('error', () => undefined);
    child.once('spawn', () => this.#listen(child));
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    child.stdout.on('data', (bytes: Buffer) => {
      if (!this.#done) {
        this.#data.fire(bytes);
      }
    });
    child.stdout.on('end', () => void this.#terminate());
    child.stderr.on('data', (bytes: Buffer) => {
      this.#stderr.push(bytes);
      stderrFlow.took(bytes.length, child.stderr);
    });
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

  async #failToStart(error: unknown, isRetry: boolean): Promise<void> {
    const { command, cwd, loginEnvironment = loginShellEnvironment } = this.#options;
    const reason = await explainStart(command, cwd, error);
    const canRetry =
      !isRetry && reason.facts.missingFolder === undefined && mayBeElsewhere(command, error);
    const environment = canRetry ? await loginEnvironment() : undefined;
    if (this.#done) {
      return;
    }
    if (environment) {
      this.#start(environment);
    } else {
      this.#finish(reason);
    }
  }

  #exited(child: ChildProcessWithoutNullStreams, exit: string): void {
    this.#exit = exit;
    // Also ends the processes that it started.
    void this.#terminate();
    let quietMs = 0;
    child.stdout.on('data', () => (quietMs = 0));
    const timer = setInterval(() => {
      quietMs += pollMs;
      if (quietMs > drainMs) {
        // The pipes are held open by a process that can no longer be found.
        child.stdout.destroy();
        child.stderr.destroy();
      }
    }, pollMs);
    child.on('close', () => clearInterval(timer));
  }

  /** TR-8: closes the input, then terminates, then kills, with time in between. */
  async #terminate(): Promise<void> {
    this.#child?.stdin.end();
    await this.#tree?.terminate('patient');
    if (this.#exit === undefined) {
      // Killing it didn't help either, so don't wait any longer.
      this.#finish(new AcpError('exited', `${this.#options.command} can't be ended`));
    }
  }

  #exitError(): AcpError {
    const { command } = this.#options;
    const exit = this.#exit ?? 'no exit code';
    return new AcpError('exited', `${command} ended with ${exit}`, {
      exit,
      stderr: this.said,
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
