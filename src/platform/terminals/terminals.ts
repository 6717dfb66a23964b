import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Terminal, TerminalOptions, Terminals } from '../../model/ports';
import type { TerminalExit, TerminalOutput } from '../../protocol/agentRequests';
import { refusal } from '../../protocol/refusal';
import { explainStart, mayBeElsewhere } from '../../protocol/transport/startFailure';
import { deferred } from '../../util/async';
import { Emitter } from '../../util/emitter';
import type { Environment } from '../../util/process/environment';
import { findProgram } from '../../util/process/findProgram';
import { Flow } from '../../util/process/flow';
import { loginShellEnvironment } from '../../util/process/loginShellEnvironment';
import type { ProcessTree } from '../../util/process/processTree';
import { startProcess } from '../../util/process/startProcess';
import {
  commandShell,
  firstProgram,
  isCommandLine,
  mustTakeLine,
  shellArguments,
  shellVariables,
} from './commandShell';
import { OutputBudget } from './outputBudget';
import { OutputTail } from './outputTail';

export interface ChildTerminalsOptions {
  /** Commands are only started in a trusted workspace. */
  readonly workspace: { readonly trusted: boolean };
  /** The environment for the second try if a command isn't found; default: the login shell's. */
  readonly loginEnvironment?: () => Promise<Environment | undefined>;
  /** The shells that the user has chosen for command lines, the preferred one first; default: none. */
  readonly shells?: () => readonly string[];
  /** Milliseconds between asking a command to end and killing it. */
  readonly graceMs?: number;
}

const defaultGraceMs = 1000;
const defaultOutputBytes = 1024 * 1024;
const maxOutputBytes = 16 * 1024 * 1024;
/** How long output is awaited after the command has ended, in ms. */
const drainMs = 1000;
/** Commands running at a time, of all agents and sessions. */
const maxRunning = 128;
/** Bytes of memory for the outputs of all commands together. */
const maxHeldBytes = 64 * 1024 * 1024;
/** Bytes of output that are shown while the command runs, and after it has ended. */
const shownBytes = { running: 64 * 1024, ended: 1024 * 1024 } as const;

/** Runs agents' commands as child processes, without a terminal device; a shell only reads command lines (TE-2). */
export class ChildTerminals implements Terminals {
  readonly #options: ChildTerminalsOptions;
  readonly #shared = { flow: new Flow(), budget: new OutputBudget(maxHeldBytes) };
  /** Includes commands that are about to start. */
  #running = 0;

  constructor(options: ChildTerminalsOptions) {
    this.#options = options;
  }

  /** Bytes of memory that all outputs hold. */
  get heldBytes(): number {
    return this.#shared.budget.held;
  }

  async shellFor(options: TerminalOptions): Promise<string | undefined> {
    const shell = await commandShell(this.#options.shells?.() ?? []);
    if (!(await isCommandLine(options, shell))) {
      return undefined;
    }
    mustTakeLine(shell, options.command);
    return shell;
  }

  async create(options: TerminalOptions): Promise<Terminal> {
    if (!this.#options.workspace.trusted) {
      throw refusal('untrusted', 'The workspace is not trusted');
    }
    if (this.#running >= maxRunning) {
      throw refusal('tooMany', `Agents are already running ${maxRunning} commands`);
    }
    this.#running++;
    try {
      const running = await this.#start(options);
      const terminal = new ChildTerminal(running, this.#shared, options.outputByteLimit);
      void terminal.exited.then(() => this.#running--);
      return terminal;
    } catch (error) {
      this.#running--;
      throw error;
    }
  }

  async #start(options: TerminalOptions): Promise<Running> {
    const { shell, cwd } = options;
    const command = shell ?? options.command;
    const { loginEnvironment = loginShellEnvironment, graceMs = defaultGraceMs } = this.#options;
    try {
      // A shell starts in any case, so what it can't find is looked for beforehand.
      const isUnknown = shell !== undefined && (await isElsewhere(options.command, shell));
      return await start(options, (isUnknown && (await loginEnvironment())) || {}, graceMs);
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

/** State shared by all commands. */
interface Shared {
  readonly flow: Flow;
  readonly budget: OutputBudget;
}

interface Running {
  readonly child: ChildProcess;
  readonly tree: ProcessTree;
}

/** Whether the program that a line begins with isn't on this process's PATH. */
async function isElsewhere(line: string, shell: string): Promise<boolean> {
  const program = firstProgram(line, shell);
  return program !== undefined && (await findProgram(program, [process.env['PATH']])) === undefined;
}

function start(
  { command, args, env, cwd, shell }: TerminalOptions,
  loginEnvironment: Environment,
  graceMs: number,
): Promise<Running> {
  return new Promise((resolve, reject) => {
    const environments = [loginEnvironment, shell === undefined ? {} : shellVariables(shell), env];
    const { child, tree } = startProcess({
      command: shell ?? command,
      ...(shell === undefined ? { args } : shellArguments(shell, command)),
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
  readonly #shared: Shared;
  readonly #tail: OutputTail;
  readonly #exited = deferred<TerminalExit>();
  #status: TerminalExit | undefined;

  constructor({ child, tree }: Running, shared: Shared, outputByteLimit = defaultOutputBytes) {
    this.#child = child;
    this.#tree = tree;
    this.#shared = shared;
    this.#tail = new OutputTail(Math.min(Math.max(0, Math.floor(outputByteLimit)), maxOutputBytes));
    shared.budget.add(this.#tail);
    this.#listen(child.stdout);
    this.#listen(child.stderr);
    child.on('exit', () => this.#processExited());
    child.on('close', (exitCode, signal) => this.#finish({ exitCode, signal }));
  }

  /** TE-4. */
  get output(): TerminalOutput {
    return this.#last(maxOutputBytes);
  }

  get shown(): TerminalOutput {
    const shown = this.#last(shownBytes[this.#status ? 'ended' : 'running']);
    // A running command will be shown with more of its output later.
    const isCut = this.#status !== undefined && this.#tail.held > shownBytes.ended;
    return { ...shown, truncated: shown.truncated || isCut };
  }

  /** TE-5. */
  get exited(): Promise<TerminalExit> {
    return this.#exited.promise;
  }

  /**
   * TE-6: asks the command to end, and kills it if it doesn't; the exit status is known afterward.
   */
  async kill(): Promise<void> {
    await this.#terminate();
    await this.exited;
  }

  dispose(): void {
    void this.#terminate();
    this.#shared.budget.forget(this.#tail);
  }

  #last(bytes: number): TerminalOutput {
    const { truncated } = this.#tail;
    const exitStatus = this.#status;
    return { output: this.#tail.last(bytes), truncated, ...(exitStatus && { exitStatus }) };
  }

  #listen(stream: Readable | null): void {
    // One decoder per stream, so that a character split between two chunks survives a chunk of the
    // other stream in between.
    const decoder = new StringDecoder('utf8');
    stream?.on('data', (bytes: Buffer) => {
      this.#write(decoder.write(bytes));
      this.#shared.flow.took(bytes.length, stream);
    });
    stream?.on('end', () => this.#write(decoder.end()));
  }

  #write(text: string): void {
    if (text !== '' && this.#status === undefined) {
      this.#shared.budget.push(this.#tail, text);
      this.#changed.fire(text);
    }
  }

  #processExited(): void {
    // The processes that it started end with it.
    void this.#terminate();
    // A process that can no longer be found may keep the pipes open forever.
    const timer = setTimeout(() => {
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
    }, drainMs);
    this.#child.on('close', () => clearTimeout(timer));
  }

  async #terminate(): Promise<void> {
    await this.#tree.terminate();
    if (!this.#tree.hasExited) {
      // Even killing it has failed, and nobody must wait forever.
      this.#finish({ exitCode: null, signal: 'SIGKILL' });
    }
  }

  #finish(status: TerminalExit): void {
    if (this.#status === undefined) {
      this.#status = status;
      this.#shared.budget.end(this.#tail);
      this.#exited.resolve(status);
      this.#changed.fire('');
    }
  }
}
