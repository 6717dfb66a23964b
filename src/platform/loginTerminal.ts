import path from 'node:path';
import process from 'node:process';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AcpError } from '../protocol/errors';
import { isUnsafeBatchInTerminal } from '../util/process/batchFiles';
import { findOnPath } from '../util/process/findProgram';

/**
 * Runs a program in the current terminal and exits with its exit code, or with one above 128 if a
 * signal ended it: VS Code would report such an end as exit code 0
 * (https://github.com/microsoft/vscode/issues/62043). The program gets none of the editor's
 * variables, such as its Git token, except for those in `kept`.
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

/** The path of a command's program, searched for like an agent's; `undefined` if it isn't found. */
export async function findProgram(command: string): Promise<string | undefined> {
  if (path.basename(command) !== command) {
    return command;
  }
  return findOnPath(command);
}

/**
 * Runs a program with which the user logs in, in a VS Code terminal (AUTH-5): exactly this program
 * and these arguments, without a shell. Resolves with its exit code, above 128 if a signal ended it;
 * with `undefined` if the user closes the terminal or `signal` aborts. Its output doesn't count (AUTH-7).
 */
export async function runLoginTerminal(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string | undefined,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const program = await findProgram(command);
  if (signal?.aborted === true) {
    return undefined;
  }
  if (program === undefined && process.platform === 'win32') {
    // VS Code would look for it in the folder of the terminal.
    throw new AcpError('notFound', `${command} was not found`, { subject: command });
  }
  const terminal = vscode.window.createTerminal({
    name: l10n.t('Log In'),
    ...terminalStart(program ?? command, args, env),
    isTransient: true,
    iconPath: new vscode.ThemeIcon('key'),
    ...(cwd !== undefined && { cwd }),
  });
  const ended = findExit(terminal);
  const abort = (): void => terminal.dispose();
  signal?.addEventListener('abort', abort, { once: true });
  terminal.show();
  try {
    return await ended;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * The options of a terminal that runs exactly this program, without a shell and the editor's variables.
 * Throws for a batch file of Windows with arguments that its shell would not take as they are.
 */
export function terminalStart(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Pick<vscode.TerminalOptions, 'shellPath' | 'shellArgs' | 'env'> {
  if (process.platform === 'win32') {
    if (isUnsafeBatchInTerminal(program, args)) {
      const text = `${program} is a batch file, to which its arguments can't be passed on safely`;
      throw new AcpError('notExecutable', text, { subject: program });
    }
    // Windows has no signals, and the editor's executable isn't a console program.
    return { shellPath: program, shellArgs: [...args], env: { ...env } };
  }
  // The last one lets the program open an address in the user's browser.
  const kept = [...Object.keys(env), 'VSCODE_IPC_HOOK_CLI'];
  return {
    shellPath: process.execPath,
    shellArgs: ['-e', `const kept = ${JSON.stringify(kept)};${runner}`, '--', program, ...args],
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  };
}

function findExit(terminal: vscode.Terminal): Promise<number | undefined> {
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
