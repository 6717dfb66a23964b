import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../model/agents/agents';
import { describeFailure, findAgentId } from '../model/failures/failures';
import type { Log } from '../model/ports';
import type { CommandId } from '../platform/ids';
import { offerActions } from '../platform/ui/failureActions';
import { showErrorMessage, showInformationMessage } from '../platform/ui/messages';
import { type FailureAction, failureText, isOfGuide, UserError } from '../shared/failure';
import { getStack } from '../util/getStack';

/** A command's arguments can come from anywhere, including keybindings and other extensions. */
export type Command = (...args: unknown[]) => unknown;
export type CommandTable = Readonly<Record<CommandId, Command>>;

interface Commands {
  /** The IDs of all commands. */
  readonly ids: readonly string[];
  /** The function of a command, which may be in a part that is loaded for it; `undefined` if there is none. */
  readonly find: (id: string) => Command | Promise<Command | undefined>;
  readonly agents: Pick<Agents, 'get'>;
  readonly log: Log;
}

/** Registers every command, with common error handling. */
export function registerCommands({ ids, find, agents, log }: Commands): vscode.Disposable {
  const getTitle = (error: unknown): string =>
    agents.get(findAgentId(error) ?? '')?.title ?? l10n.t('The agent');
  const call = async (id: string, args: readonly unknown[]): Promise<void> => {
    const command = await find(id);
    if (command === undefined) {
      throw new Error(`There is no command ${id}`);
    }
    await command(...args);
  };
  const registered = ids.map((id) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) =>
      isOfUnknownRow(args) ? askAgain() : run({ id, command: () => call(id, args), getTitle, log }),
    ),
  );
  return vscode.Disposable.from(...registered);
}

/**
 * Whether the command was called on rows of the view that VS Code can't identify because it is redrawing them
 * (https://github.com/microsoft/vscode/issues/283655). Without arguments, the command would apply to the active tab,
 * which is another session. A row's menu passes the row, and all selected rows if there are several.
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
    l10n.t('Nothing was done because the list was being updated. Please try again.'),
  );
}

interface Run {
  readonly id: string;
  readonly command: () => unknown;
  /** The title of the agent that an error is about. */
  readonly getTitle: (error: unknown) => string;
  readonly log: Log;
}

/** Runs a command; a failure becomes a message, with what helps. */
export async function run(running: Run): Promise<void> {
  const { id, command, log } = running;
  try {
    await command();
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return;
    }
    if (error instanceof UserError) {
      log.warn(`${id}: ${error.message}`);
    } else {
      log.error(`${id}: ${getStack(error)}`);
    }
    void report(running, error);
  }
}

async function report(running: Run, error: unknown): Promise<void> {
  const failure = describeFailure(error, running.getTitle(error));
  const { code, said, actions } = failure;
  if (code === 'cancelled' && said === undefined) {
    return;
  }
  const offered = error instanceof UserError ? actions : withLog(actions);
  await offerActions(showErrorMessage, failureText(failure), offered, {
    agentId: findAgentId(error),
    retry: () => run(running),
  });
}

/** The log has more about an error of an agent, whatever the transcript offers of it. */
function withLog(actions: readonly FailureAction[]): readonly FailureAction[] {
  const helping = actions.filter((action) => !isOfGuide(action));
  return [...new Set([...helping, 'showLog' as const]), ...actions.filter(isOfGuide)];
}
