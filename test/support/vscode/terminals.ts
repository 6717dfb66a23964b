import { type ChildProcess, spawn } from 'node:child_process';
import type * as vscode from 'vscode';
import { TerminalExitReason } from './enums';
import { EventEmitter } from './events';

const open: Terminal[] = [];
const closed = new EventEmitter<vscode.Terminal>();

/** What shells would tell. A test fires them. */
export const shellExecutions = {
  started: new EventEmitter<vscode.TerminalShellExecutionStartEvent>(),
  ended: new EventEmitter<vscode.TerminalShellExecutionEndEvent>(),
};

/** A program that nobody sees: its output goes nowhere, and nothing can be typed. */
class Terminal implements vscode.Terminal {
  readonly name: string;
  readonly creationOptions: Readonly<vscode.TerminalOptions>;
  readonly processId: Promise<number | undefined>;
  readonly state = { isInteractedWith: false, shell: undefined };
  readonly shellIntegration = undefined;
  exitStatus: vscode.TerminalExitStatus | undefined;
  readonly #process: ChildProcess;

  constructor(options: Readonly<vscode.TerminalOptions>) {
    const { name, shellPath, shellArgs, env, cwd } = options;
    if (shellPath === undefined || !Array.isArray(shellArgs) || typeof cwd === 'object') {
      throw new Error('Here a terminal has the path of a program, and its arguments.');
    }
    this.name = name ?? shellPath;
    this.creationOptions = options;
    this.#process = spawn(shellPath, shellArgs, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env } as NodeJS.ProcessEnv,
      stdio: 'ignore',
    });
    this.processId = Promise.resolve(this.#process.pid);
    this.#process.once('error', () => this.#end(1, TerminalExitReason.Process));
    this.#process.once('exit', (code) => this.#end(code ?? 0, TerminalExitReason.Process));
    open.push(this);
  }

  sendText(): void {
    throw new Error('Nothing can be typed here.');
  }

  show(): void {
    // Nobody looks.
  }

  hide(): void {
    // Nobody looks.
  }

  dispose(): void {
    this.#process.kill();
    this.#end(undefined, TerminalExitReason.Extension);
  }

  #end(code: number | undefined, reason: vscode.TerminalExitReason): void {
    if (this.exitStatus === undefined) {
      this.exitStatus = { code, reason };
      open.splice(open.indexOf(this), 1);
      closed.fire(this);
    }
  }
}

export const terminals = {
  get terminals() {
    return open;
  },
  onDidCloseTerminal: closed.event,
  onDidStartTerminalShellExecution: shellExecutions.started.event,
  onDidEndTerminalShellExecution: shellExecutions.ended.event,
  createTerminal: (options) => {
    if (typeof options !== 'object' || 'pty' in options) {
      throw new Error('Here a terminal has a program.');
    }
    return new Terminal(options);
  },
} satisfies Partial<typeof vscode.window>;
