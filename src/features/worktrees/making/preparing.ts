import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText } from '../../../model/text/titles';
import { showInformationMessage, showWarningMessage } from '../../../platform/ui/messages';
import { hasUnseen, literal } from '../../../shared/literal';

/** What can be read at once in a dialog. */
const maxScriptLength = 2_000;
const maxLines = 40;

/**
 * Shows the script before it runs; one that can't be seen in full doesn't. `isForeign`: somebody else has written what
 * is in the worktree. `undefined`: the user cancels.
 */
export async function mayPrepare(script: string, isForeign: boolean): Promise<boolean | undefined> {
  const run = l10n.t('Run');
  const skip = l10n.t('Create without Running It');
  const trouble = hasUnseen(script)
    ? l10n.t('The script that prepares worktrees has invisible characters, so it isn’t run.')
    : script.length > maxScriptLength || script.split('\n').length > maxLines
      ? l10n.t(
          'The script that prepares worktrees is too long to be shown, so it isn’t run. Put it into a file of the repository, and run that.',
        )
      : undefined;
  const answer = await showInformationMessage(
    trouble ??
      (isForeign
        ? l10n.t(
            'Run this in the new worktree before the session begins? The pull request may have changed what it runs.',
          )
        : l10n.t('Run this in the new worktree before the session begins?')),
    { modal: true, detail: literal(script.slice(0, maxScriptLength)) },
    ...(trouble === undefined ? [run, skip] : [skip]),
  );
  return answer === undefined ? undefined : answer === run;
}

/**
 * Runs the script in a terminal, with the user's shell, in the worktree's folder. `source`: the folder of the
 * repository that the session was asked for in, for files that Git doesn't have. Resolves when it has ended; one that
 * fails is told, and doesn't keep the session from beginning. Ends it when `signal` aborts.
 */
export async function prepare(
  script: string,
  folder: string,
  source: string,
  signal: AbortSignal,
): Promise<void> {
  const task = new vscode.Task(
    { type: 'shell' },
    vscode.TaskScope.Workspace,
    // VS Code asks whether to restart a running task of the same name.
    l10n.t('Prepare {0}', cleanText(path.basename(folder), 80)),
    'ACP Sessions',
    new vscode.ShellExecution(script, { cwd: folder, env: { ACP_SESSIONS_SOURCE: source } }),
  );
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    focus: false,
  };
  const code = await ended(task, signal);
  if (code !== 0 && !signal.aborted) {
    void showWarningMessage(
      code === undefined
        ? l10n.t('The script that prepares the worktree was stopped. The session begins anyway.')
        : l10n.t(
            'The script that prepares the worktree ended with code {0}: its terminal says why. The session begins anyway.',
            code,
          ),
    );
  }
}

function ended(task: vscode.Task, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    let execution: vscode.TaskExecution | undefined;
    // A short script ends before VS Code has said which execution is the task's.
    const isIt = ({ task: other }: vscode.TaskExecution): boolean =>
      other.name === task.name && other.source === task.source;
    const stop = (): void => execution?.terminate();
    const listeners = vscode.Disposable.from(
      vscode.tasks.onDidEndTaskProcess((event) => {
        if (isIt(event.execution)) {
          finish(event.exitCode);
        }
      }),
      // A task that never had a process.
      vscode.tasks.onDidEndTask((event) => {
        if (isIt(event.execution)) {
          finish(undefined);
        }
      }),
    );
    const finish = (code: number | undefined): void => {
      listeners.dispose();
      signal.removeEventListener('abort', stop);
      resolve(code);
    };
    signal.addEventListener('abort', stop);
    vscode.tasks.executeTask(task).then((started) => {
      execution = started;
      if (signal.aborted) {
        stop();
      }
    }, reject);
  });
}
