import * as vscode from 'vscode';
import { repository } from '../../../package.json';
import { type FailureAction, failureActions, isOfGuide, isOfSession } from '../../shared/failure';
import type { CommandId, OfferedCommandId } from '../ids';

/** What an action may need from where it is offered. */
interface ActionTarget {
  readonly agentId?: string | undefined;
  /** Does again what failed. */
  readonly retry?: () => unknown;
}

type ActionCommand = {
  [Action in FailureAction]: (typeof failureActions)[Action] extends { readonly command: string }
    ? Action
    : never;
}[FailureAction];
interface CommandFacts {
  readonly label: string;
  readonly command: CommandId | OfferedCommandId | 'workbench.trust.manage';
  readonly about?: 'agent' | 'session';
}
const commands: Readonly<Record<ActionCommand, CommandFacts>> = failureActions;

/** The command of an action. */
export function getCommand(action: ActionCommand, agentId: string | undefined): vscode.Command {
  const { label: title, command, about } = commands[action];
  return { title, command, ...(about === 'agent' && { arguments: [agentId] }) };
}

/** Does what the user has chosen. */
export async function act(action: FailureAction, { agentId, retry }: ActionTarget): Promise<void> {
  if (action === 'retry') {
    await retry?.();
    return;
  }
  if (isOfGuide(action)) {
    await vscode.env.openExternal(getGuideUri(failureActions[action].page));
    return;
  }
  const { command, about } = commands[action];
  await vscode.commands.executeCommand(command, ...(about === 'agent' ? [agentId] : []));
}

/** The address of a page of the guide, as in the texts of package.json. */
function getGuideUri(page: string): vscode.Uri {
  return vscode.Uri.parse(`${repository.url.replace(/\.git$/, '')}/blob/main/docs/guide/${page}`);
}

/**
 * Shows a message with a button for each of these actions that its target has, and does what the user chooses. What is
 * about one session is offered in its transcript only.
 */
export async function offerActions(
  show: (text: string, ...labels: readonly string[]) => Thenable<string | undefined>,
  text: string,
  actions: readonly FailureAction[],
  target: ActionTarget = {},
): Promise<void> {
  const offered = actions.filter(
    (action) => !isOfSession(action) && (action !== 'retry' || target.retry !== undefined),
  );
  const answer = await show(text, ...offered.map((action) => failureActions[action].label));
  const chosen = offered.find((action) => failureActions[action].label === answer);
  if (chosen !== undefined) {
    await act(chosen, target);
  }
}
