import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Terminal, TerminalOptions, Terminals } from '../model/ports';
import type { TerminalExit, TerminalOutput } from '../protocol/agentRequests';
import { AcpError } from '../protocol/errors';
import type { Environment } from '../protocol/transport/environment';
import { loginShellEnvironment } from '../protocol/transport/loginShellEnvironment';
import type { ProcessTree } from '../protocol/transport/processTree';
import { explainStart, mayBeElsewhere, startProcess } from '../protocol/transport/startProcess';
import { deferred } from '../util/async';
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
    if (!this.#options.workspace.trusted) {
      throw new AcpError('untrusted', 'The workspace is not trusted');
    }
    return new ChildTerminal(await this.#start(options), options.outputByteLimit);
  }

  async #start(options: TerminalOptions): Promise<Running> {
    const { command, cwd } = options;
    const { loginEnvironment = loginShellEnvironment, graceMs = defaultGraceMs } = this.#options;
    try {
      return await start(options, {}, graceMs);
    } catch (error) {
      const reason = await explainStart(command, cwd, error);
      const canRetry = reason.facts.missingFolder === undefined && mayBeElsewhere(command, error);
      const environment = canRetry ? await loginEnvironment() : undefined;
      if (environment === undefined) {
        throw reason;
      }
      return start(options, environment, graceMs).catch(async (later: unknown) => {
        throw await explainStart(command, cwd, later);
      });
    }
  }
}

interface Running {
  readonly child: ChildProcess;
  readonly tree: ProcessTree;
}

function start(
  { command, args, env, cwd }: TerminalOptions,
  loginEnvironment: Environment,
  graceMs: number,
): Promise<Running> {
  return new Promise((resolve, reject) => {
    const environments = [loginEnvironment, env];
    const { child, tree } = startProcess({
      command,
      args,
      cwd,
      environments,
      stdin: 'ignore',
      graceMs,
    });
    child.on('error', reject);
    child.once('spawn', () => tree && resolve({ child, tree }));
  });
}

class ChildTerminal implements Terminal {
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;
  readonly #child: ChildProcess;
  readonly #tree: ProcessTree;
  readonly #tail: OutputTail;
  readonly #exited = deferred<TerminalExit>();
  #status: TerminalExit | undefined;
  #stretch: { bytes: number } | undefined;

  constructor({ child, tree }: Running, outputByteLimit = defaultOutputBytes) {
    this.#child = child;
    this.#tree = tree;
    this.#tail = new OutputTail(Math.min(Math.max(0, Math.floor(outputByteLimit)), maxOutputBytes));
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
    // What it started goes with it.
    void this.#terminate();
    // A process that can't be found any more may hold the pipes for ever.
    const timer = setTimeout(() => {
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
    }, drainMs);
    this.#child.on('close', () => clearTimeout(timer));
  }

  async #terminate(): Promise<void> {
    await this.#tree.terminate();
    if (!this.#tree.hasExited) {
      // Not even killing it helped; it must not keep anybody waiting.
      this.#finish({ exitCode: null, signal: 'SIGKILL' });
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
