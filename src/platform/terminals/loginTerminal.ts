import path from 'node:path';
import process from 'node:process';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/**
 * Runs a program in the terminal that it is in itself, and ends with its exit code, or with one above 128
 * when a signal ended it: VS Code takes such an end for an exit code of 0
 * (https://github.com/microsoft/vscode/issues/62043). The program gets none of the editor's own variables, such as
 * its Git's token, but those that are `kept`.
 */
const runner = `
const isOfGit = (text) => text.includes('extensions/git/');
for (const [name, value] of Object.entries(process.env)) {
  const isOfEditor = /^(VSCODE|ELECTRON)_/.test(name) || (/^(GIT|SSH)_/.test(name) && isOfGit(value));
  if (isOfEditor && !kept.includes(name)) delete process.env[name];
}
const child = require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => { console.error(error.message); process.exit(127); });
child.on('exit', (code, signal) => process.exit(code ?? 128 + require('node:os').constants.signals[signal]));
for (const signal of ['SIGHUP', 'SIGTERM']) process.on(signal, () => child.kill(signal));
for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {});
`;

/** Where the program of a command is, looking for a name as for an agent's; `undefined` when nothing has it. */
export async function programOf(command: string): Promise<string | undefined> {
  if (path.basename(command) !== command) {
    return command;
  }
  const { findProgram, searchPaths } = await import('../programs');
  return findProgram(command, await searchPaths());
}

/**
 * Runs a program for a person to log in with, in a terminal of VS Code's (AUTH-5): exactly
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
  const program = await programOf(command);
  if (signal?.aborted === true) {
    return undefined;
  }
  const terminal = vscode.window.createTerminal({
    name: l10n.t('Log In'),
    ...startOf(program ?? command, args, env),
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

function startOf(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Pick<vscode.TerminalOptions, 'shellPath' | 'shellArgs' | 'env'> {
  if (process.platform === 'win32') {
    // There are no signals, and the editor's own program is none for a console.
    return { shellPath: program, shellArgs: [...args], env: { ...env } };
  }
  // With the last one, an address can still be opened in a person's browser.
  const kept = [...Object.keys(env), 'VSCODE_IPC_HOOK_CLI'];
  return {
    shellPath: process.execPath,
    shellArgs: ['-e', `const kept = ${JSON.stringify(kept)};${runner}`, '--', program, ...args],
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  };
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
