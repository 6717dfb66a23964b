import * as vscode from 'vscode';
import { replaceMember } from './dialogs';

/** A progress indicator. */
export interface Shown {
  readonly title: string | undefined;
  readonly isNotification: boolean;
  /** The messages that were reported. */
  readonly reported: (string | undefined)[];
  /** Presses its Cancel button. */
  readonly cancel: () => void;
}

type Task = (
  progress: vscode.Progress<{ readonly message?: string }>,
  token: vscode.CancellationToken,
) => Thenable<unknown>;

/** Stands in for VS Code's progress, and shows none. */
export class ProgressBench {
  /** The current ones. */
  readonly running = new Set<Shown>();
  /** All that were shown, including those that have ended. */
  readonly all: Shown[] = [];
  readonly #restore: () => void;

  constructor() {
    this.#restore = replaceMember(vscode.window, 'withProgress', this.#run.bind(this));
  }

  get notification(): Shown | undefined {
    return [...this.running].find(({ isNotification }) => isNotification);
  }

  dispose(): void {
    this.#restore();
  }

  async #run(options: vscode.ProgressOptions, task: Task): Promise<unknown> {
    const source = new vscode.CancellationTokenSource();
    const shown: Shown = {
      title: options.title,
      isNotification: options.location === vscode.ProgressLocation.Notification,
      reported: [],
      cancel: () => source.cancel(),
    };
    this.all.push(shown);
    this.running.add(shown);
    try {
      return await task({ report: ({ message }) => shown.reported.push(message) }, source.token);
    } finally {
      this.running.delete(shown);
      source.dispose();
    }
  }
}
