import path from 'node:path';
import * as vscode from 'vscode';
import { findProgram, searchPaths } from './findProgram';

/**
 * Runs an agent's own program for a person to log in with, in a terminal of VS Code's (AUTH-5): exactly
 * this program and these arguments, without a shell. Resolves with its exit code; with `undefined` when
 * the person closes the terminal, a signal ends the program, or `signal` aborts. What it prints doesn't
 * count (AUTH-7).
 */
export async function runLoginTerminal(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string | undefined,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const isPath = path.basename(command) !== command;
  const program = isPath ? command : await findProgram(command, await searchPaths());
  if (signal?.aborted === true) {
    return undefined;
  }
  const terminal = vscode.window.createTerminal({
    name: 'Log In',
    shellPath: program ?? command,
    shellArgs: [...args],
    env: { ...env },
    isTransient: true,
    iconPath: new vscode.ThemeIcon('key'),
    ...(cwd !== undefined && { cwd }),
  });
  const ended = exitOf(terminal);
  const abort = (): void => terminal.dispose();
  signal?.addEventListener('abort', abort, { once: true });
  terminal.show();
  try {
    return await ended;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function exitOf(terminal: vscode.Terminal): Promise<number | undefined> {
  return new Promise((resolve) => {
    const listening = vscode.window.onDidCloseTerminal((closed) => {
      if (closed === terminal) {
        listening.dispose();
        const status = closed.exitStatus;
        const hasEnded = status?.reason === vscode.TerminalExitReason.Process;
        resolve(hasEnded ? status.code : undefined);
      }
    });
  });
}
