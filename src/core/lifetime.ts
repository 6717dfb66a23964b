import type * as vscode from 'vscode';
import { allOver } from '../util/async';

/** What lives as long as the extension, and what must be done before it ends. */
export class Lifetime {
  readonly #subscriptions: vscode.Disposable[];
  readonly #endings: (() => unknown)[] = [];

  constructor(subscriptions: vscode.Disposable[]) {
    this.#subscriptions = subscriptions;
  }

  /** Disposes the part with the extension. Returns it. */
  readonly own = <T extends vscode.Disposable>(part: T): T => {
    this.#subscriptions.push(part);
    return part;
  };

  /** Runs the work when VS Code ends the extension, which waits for it for some seconds. */
  beforeEnd(work: () => unknown): void {
    this.#endings.push(work);
  }

  /** Runs all of that, whichever fails. Resolves with the failures. */
  end(): Promise<readonly unknown[]> {
    return allOver(this.#endings);
  }
}
