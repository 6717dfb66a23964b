import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Terminal } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import type { TerminalExit } from '../../protocol/agentRequests';
import type { Disposable } from '../../util/disposable';
import { TerminalFilter } from './terminalFilter';

/**
 * Shows agents' commands in VS Code's terminal panel on demand (TE-9). Closing a view doesn't
 * affect its command.
 */
export class TerminalViews implements Disposable {
  readonly #views = new Map<Terminal, vscode.Terminal>();
  readonly #closed = vscode.window.onDidCloseTerminal((closed) => {
    for (const [terminal, view] of this.#views) {
      if (view === closed) {
        this.#views.delete(terminal);
      }
    }
  });

  /** Shows the command's output so far and from now on; reuses an existing view. */
  open(terminal: Terminal, name: string): void {
    let view = this.#views.get(terminal);
    if (view === undefined) {
      view = vscode.window.createTerminal({
        name: cleanText(name, 120),
        pty: makeMirror(terminal),
        iconPath: new vscode.ThemeIcon('eye'),
        isTransient: true,
      });
      this.#views.set(terminal, view);
    }
    view.show(true);
  }

  dispose(): void {
    this.#closed.dispose();
    for (const view of this.#views.values()) {
      view.dispose();
    }
    this.#views.clear();
  }
}

/** A read-only view of the output of `terminal`, so far and from now on. */
export function makeMirror(terminal: Terminal): vscode.Pseudoterminal {
  const written = new vscode.EventEmitter<string>();
  const filter = new TerminalFilter();
  let listening: Disposable | undefined;
  return {
    onDidWrite: written.event,
    open() {
      const { output, truncated, exitStatus } = terminal.output;
      const left = truncated
        ? `\u001b[2m${l10n.t('… earlier output was discarded')}\u001b[0m\r\n`
        : '';
      written.fire(left + filter.push(output));
      if (exitStatus) {
        written.fire(describeExit(exitStatus));
        return;
      }
      listening = terminal.onDidChange((text) => {
        const { exitStatus: ended } = text === '' ? terminal.output : {};
        written.fire(ended ? describeExit(ended) : filter.push(text));
      });
    },
    close() {
      listening?.dispose();
      written.dispose();
    },
  };
}

function describeExit({ exitCode, signal }: TerminalExit): string {
  const end =
    signal === null
      ? l10n.t('Ended with exit code {0}', exitCode ?? '?')
      : l10n.t('Ended with signal {0}', signal);
  return `\u001b[0m\r\n\u001b[2m${end}\u001b[0m\r\n`;
}
