import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { describeFailure } from '../model/failures';
import type { Log } from '../model/ports';
import { type CommandId, commandIds } from '../platform/ids';
import { showErrorMessage, showInformationMessage } from '../platform/messages';

/** What a command gets comes from anywhere, keybindings and other extensions included. */
type Command = (argument: unknown, selection: unknown) => unknown;
export type CommandTable = Readonly<Record<CommandId, Command>>;

/** Registers every command of the table; each runs in the one wrapper for errors. */
export function registerCommands(table: CommandTable, log: Log): vscode.Disposable {
  const registered = Object.entries(table).map(([id, command]) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) =>
      isOfUnknownRow(args) ? askAgain() : run(id, () => command(args[0], args[1]), log),
    ),
  );
  return vscode.Disposable.from(...registered);
}

/**
 * Whether it was called on rows of the view that VS Code can't name because it draws them anew just then. Without
 * arguments it would be about the tab that shows, which is another session. A row's menu gives the row, and all
 * that are selected if there are several.
 */
function isOfUnknownRow(args: readonly unknown[]): boolean {
  const [row, selection] = args;
  if (args.length !== 2) {
    return false;
  }
  return Array.isArray(selection)
    ? selection.includes(undefined)
    : row === undefined && (selection === undefined || selection === null);
}

function askAgain(): void {
  void showInformationMessage(
    l10n.t('Nothing was done: the list was just being drawn anew. Please try again.'),
  );
}

async function run(id: string, command: () => unknown, log: Log): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return;
    }
    log.error(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    void report(id, command, error, log);
  }
}

async function report(id: string, command: () => unknown, error: unknown, log: Log): Promise<void> {
  const { title, detail } = describeFailure(error, l10n.t('The agent'));
  const retry = l10n.t('Retry');
  const showLog = l10n.t('Show Log');
  const text = `${title}. ${detail}`;
  const answer = await showErrorMessage(text, retry, showLog);
  if (answer === retry) {
    await run(id, command, log);
  } else if (answer === showLog) {
    await vscode.commands.executeCommand(commandIds.showAgentLog);
  }
}
