import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { OutputTail } from '../../platform/terminals/outputTail';
import { DisposableStore } from '../../util/disposable';
import { setNewest } from '../../util/setNewest';
import type { RanCommand } from './model/ranCommand';
import { keepsTerminalOutput, onDidChangeKeeping } from './settings';

/** Bytes of a command's output. */
const maxOutput = 64 * 1024;
const maxTerminals = 10;

interface Kept {
  readonly id: string;
  readonly execution: vscode.TerminalShellExecution;
  readonly output: OutputTail;
  end: RanCommand['end'];
}

/**
 * The last command of each of the ten terminals that ran one last, with the end of its output: what VS Code tells where
 * the shell has its shell integration. Kept in memory only, and while the setting allows it.
 */
export class TerminalCommands implements vscode.Disposable {
  /** The latest last. */
  readonly #kept = new Map<vscode.Terminal, Kept>();
  readonly #store = new DisposableStore();

  constructor() {
    const { window } = vscode;
    this.#store.add(window.onDidStartTerminalShellExecution((event) => void this.#follow(event)));
    this.#store.add(window.onDidEndTerminalShellExecution((event) => this.#end(event)));
    this.#store.add(window.onDidCloseTerminal((terminal) => this.#kept.delete(terminal)));
    this.#store.add(
      onDidChangeKeeping(() => {
        if (!keepsTerminalOutput()) {
          this.#kept.clear();
        }
      }),
    );
  }

  /** Terminals with a command that is known: the active one first, then the one with the latest command. */
  get terminals(): readonly vscode.Terminal[] {
    const latest = [...this.#kept.keys()].reverse();
    const active = latest.filter((terminal) => terminal === vscode.window.activeTerminal);
    return [...active, ...latest.filter((terminal) => terminal !== vscode.window.activeTerminal)];
  }

  /** What names the terminal as long as it is open, in this window only. */
  idOf(terminal: vscode.Terminal): string | undefined {
    return this.#kept.get(terminal)?.id;
  }

  lastOf(terminal: vscode.Terminal): RanCommand | undefined {
    const kept = this.#kept.get(terminal);
    if (kept === undefined) {
      return undefined;
    }
    const { execution, output, end } = kept;
    return {
      // The shell may correct it when the command ends.
      line: execution.commandLine.value,
      folder: execution.cwd?.scheme === 'file' ? execution.cwd.fsPath : undefined,
      ...{ end, output: output.text, isCut: output.truncated },
    };
  }

  dispose(): void {
    this.#store.dispose();
    this.#kept.clear();
  }

  async #follow({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): Promise<void> {
    // A hidden terminal is another extension's own.
    const isHidden = 'hideFromUser' in terminal.creationOptions;
    if (!keepsTerminalOutput() || (isHidden && terminal.creationOptions.hideFromUser)) {
      return;
    }
    const id = this.idOf(terminal) ?? randomUUID();
    const kept: Kept = { id, execution, output: new OutputTail(maxOutput), end: 'running' };
    setNewest(this.#kept, terminal, kept, maxTerminals);
    for await (const data of execution.read()) {
      if (this.#kept.get(terminal) !== kept) {
        return;
      }
      kept.output.push(data);
    }
    kept.output.end();
  }

  #end({ terminal, execution, exitCode }: vscode.TerminalShellExecutionEndEvent): void {
    const kept = this.#kept.get(terminal);
    if (kept?.execution === execution) {
      kept.end = exitCode ?? 'unknown';
    }
  }
}
