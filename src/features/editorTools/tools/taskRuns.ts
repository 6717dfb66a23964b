import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Terminal, Terminals } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import { makeMirror } from '../../../platform/terminals/terminalViews';
import { deferred } from '../../../util/async';
import type { Disposable } from '../../../util/disposable';
import { begun, type TaskEnd } from '../model/tasks/taskEnd';
import type { TaskStep } from '../model/tasks/taskPlan';
import { ToolRefusal } from '../model/tool';

/** How long a task may run that isn't to go on running, and when one that is has begun (`begun`), in ms. */
const times = { limitMs: 30 * 60_000, quietMs: 3000, mostMs: 30_000 };
const isStopped = 'The turn was stopped.';
/** Bytes of the output of one command that are kept. */
const keptBytes = 256 * 1024;

/** Runs commands as tasks of VS Code, which shows them in a terminal and reads problems from their output. */
export class TaskRuns implements Disposable {
  readonly #terminals: Terminals;
  readonly #times: typeof times;
  readonly #running = new Set<Terminal>();
  /** Those that go on running, by whose they are. */
  readonly #goingOn = new Map<string, Terminal>();

  constructor(terminals: Terminals, patience = times) {
    this.#terminals = terminals;
    this.#times = patience;
  }

  /** Whether any command runs. */
  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** What a task that goes on running has printed so far; `undefined` if it doesn't run. */
  goingOn(key: string): TaskEnd | undefined {
    const terminal = this.#goingOn.get(key);
    return terminal && { output: terminal.output.output, exit: undefined, isLate: false };
  }

  /**
   * Runs a step until it ends, or until it has begun if it is one that goes on, which `key` stands for then. `shell` gets
   * its line. What ends it is `stop`, the end of its terminal, and the limit; once it has begun, only the end of its
   * terminal. Rejects with `AcpError` if it can't be started.
   */
  async run(
    step: TaskStep,
    { shell, key }: { readonly shell: string; readonly key: string },
    stop: AbortSignal,
  ): Promise<TaskEnd> {
    const terminal = await this.#start(step, shell, stop);
    if (step.isBackground) {
      this.#goingOn.set(key, terminal);
      void terminal.exited.then(() => this.#goingOn.delete(key));
    }
    const kill = (): void => void terminal.kill();
    stop.addEventListener('abort', kill, { once: true });
    if (stop.aborted) {
      kill();
    }
    let isLate = false;
    const end = (): void => {
      isLate = true;
      kill();
    };
    const timer = step.isBackground ? undefined : setTimeout(end, this.#times.limitMs);
    try {
      await (step.isBackground ? begun(terminal, this.#times) : terminal.exited);
      const { output, exitStatus } = terminal.output;
      return { output, exit: exitStatus, isLate };
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', kill);
    }
  }

  /** Ends all that runs. */
  dispose(): void {
    for (const terminal of this.#running) {
      void terminal.kill();
    }
  }

  async #start(step: TaskStep, shell: string, stop: AbortSignal): Promise<Terminal> {
    if (stop.aborted) {
      throw new ToolRefusal(isStopped);
    }
    const started = deferred<Terminal>();
    const stopped = (): void => started.reject(new ToolRefusal(isStopped));
    const task = new vscode.Task(
      { type: 'acpSessions' },
      scopeOf(step.folder),
      cleanText(step.label, 100),
      l10n.t('Agent'),
      // Called once VS Code has saved what is to be saved before tasks run.
      new vscode.CustomExecution(() => {
        const created = this.#create(step, shell, stop);
        started.resolve(created);
        return created.then(terminalOf, failureOf);
      }),
      [...step.matchers],
    );
    task.isBackground = step.isBackground;
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Silent };
    stop.addEventListener('abort', stopped, { once: true });
    try {
      vscode.tasks.executeTask(task).then(undefined, (error: unknown) => started.reject(error));
      return await started.promise;
    } finally {
      stop.removeEventListener('abort', stopped);
    }
  }

  async #create(
    { type, command, args, folder, env }: TaskStep,
    shell: string,
    stop: AbortSignal,
  ): Promise<Terminal> {
    stop.throwIfAborted();
    const terminal = await this.#terminals.create({
      ...{ command, args, env, cwd: folder, outputByteLimit: keptBytes },
      ...(type === 'shell' && { shell }),
    });
    this.#running.add(terminal);
    void terminal.exited.then(() => this.#running.delete(terminal));
    return terminal;
  }
}

/** The window may not have the session's folder open, such as a worktree. */
function scopeOf(folder: string): vscode.WorkspaceFolder | vscode.TaskScope.Global {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) ?? vscode.TaskScope.Global;
}

/** Shows the command's output; whoever closes the terminal, or ends the task, ends the command. */
function terminalOf(terminal: Terminal): vscode.Pseudoterminal {
  const mirror = makeMirror(terminal);
  const closed = new vscode.EventEmitter<number>();
  return {
    onDidWrite: mirror.onDidWrite,
    onDidClose: closed.event,
    open(dimensions) {
      mirror.open(dimensions);
      void terminal.exited.then(({ exitCode }) => closed.fire(exitCode ?? 1));
    },
    close() {
      mirror.close();
      closed.dispose();
      // Its output is told to the agent first, which waits for the same end.
      void terminal.kill().then(() => terminal.dispose());
    },
  };
}

/** Says in the terminal why nothing runs there. */
function failureOf(): vscode.Pseudoterminal {
  const written = new vscode.EventEmitter<string>();
  const closed = new vscode.EventEmitter<number>();
  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open() {
      const text = l10n.t('The command couldn’t be started. Its call in the session says why.');
      written.fire(`${text}\r\n`);
      closed.fire(1);
    },
    close() {
      written.dispose();
      closed.dispose();
    },
  };
}
