import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../model/agents/agents';
import { agentIdOf, describeFailure } from '../model/failures/failures';
import type { Log } from '../model/ports';
import { type CommandId, commandIds } from '../platform/ids';
import { showErrorMessage, showInformationMessage } from '../platform/ui/messages';
import type { FailureAction } from '../shared/failure';
import { stackOf } from '../util/stackOf';

/** A command's arguments can come from anywhere, including keybindings and other extensions. */
type Command = (...args: unknown[]) => unknown;
export type CommandTable = Readonly<Record<CommandId, Command>>;

/** Registers every command of the table, with common error handling. */
export function registerCommands(
  table: CommandTable,
  agents: Pick<Agents, 'get'>,
  log: Log,
): vscode.Disposable {
  const titleOf = (error: unknown): string =>
    agents.get(agentIdOf(error) ?? '')?.title ?? l10n.t('The agent');
  const registered = Object.entries(table).map(([id, command]) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) =>
      isOfUnknownRow(args)
        ? askAgain()
        : run({ id, command: () => command(...args), titleOf, log }),
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
  readonly titleOf: (error: unknown) => string;
  readonly log: Log;
}

async function run(running: Run): Promise<void> {
  const { id, command, log } = running;
  try {
    await command();
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return;
    }
    log.error(`${id}: ${stackOf(error)}`);
    void report(running, error);
  }
}

async function report(running: Run, error: unknown): Promise<void> {
  const { code, title, detail, said, actions } = describeFailure(error, running.titleOf(error));
  if (code === 'cancelled' && said === undefined) {
    return;
  }
  const offers = new Map(
    [...new Set<FailureAction>([...actions, 'showLog'])].flatMap(
      (action) => offerOf(action, running, agentIdOf(error)) ?? [],
    ),
  );
  const answer = await showErrorMessage(`${title}. ${detail}`, ...offers.keys());
  await offers.get(answer ?? '')?.();
}

/** A button of the message, and what it does; what is about one session is offered in its transcript only. */
function offerOf(
  action: FailureAction,
  running: Run,
  agentId: string | undefined,
): [readonly [string, () => unknown]] | undefined {
  const command = (id: string, argument?: string) => () =>
    vscode.commands.executeCommand(id, argument);
  switch (action) {
    case 'retry':
      return [[l10n.t('Retry'), () => run(running)]];
    case 'diagnose':
      return [[l10n.t('Diagnose'), command(commandIds.diagnoseAgent, agentId)]];
    case 'signIn':
      return [[l10n.t('Sign In…'), command(commandIds.signIn, agentId)]];
    case 'showLog':
      return [[l10n.t('Show Log'), command(commandIds.showAgentLog)]];
    case 'editAgents':
      return [[l10n.t('Edit Agents'), command(commandIds.editAgents)]];
    case 'manageTrust':
      return [[l10n.t('Manage Workspace Trust'), command('workbench.trust.manage')]];
    case 'locateFolder':
    case 'forgetSession':
      return undefined;
  }
}
