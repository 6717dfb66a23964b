import * as vscode from 'vscode';
import type { SessionMarks } from '../../../model/marks/marks';
import { commandIds } from '../../../platform/ids';
import type { SessionRef } from '../../../shared/sessionRef';
import type { BranchAct } from '../../../shared/transcript/branches';
import type { GoingBack } from '../../review/restoring';
import type { PanelSession } from './panelSession';

const commands: Readonly<Record<BranchAct, string>> = {
  fork: commandIds.forkFromHere,
  edit: commandIds.editAndResend,
  retry: commandIds.retryTurn,
};

/** Begins a session before a prompt of this one. */
export function beginBranch(
  session: PanelSession,
  { act, index }: { readonly act: BranchAct; readonly index: number },
): Thenable<unknown> {
  return vscode.commands.executeCommand(commands[act], { ...refOf(session), entry: index });
}

/** Goes with restoring the files to what they were before a prompt, if the user chooses that. */
export function goingBack(session: PanelSession, index: number): GoingBack {
  const named = { ...refOf(session), entry: index, restored: true };
  return {
    isChosen: false,
    run: () => vscode.commands.executeCommand(commandIds.forkFromHere, named),
  };
}

export function openOrigin(session: PanelSession): Thenable<unknown> {
  return vscode.commands.executeCommand(commandIds.openOrigin, refOf(session));
}

/** Only a session that is known to come from this one: the page may ask for any. */
export async function openFork(
  session: PanelSession,
  marks: Pick<SessionMarks, 'branchesOf'>,
  sessionId: string,
): Promise<void> {
  const { agentId, sessionId: origin } = refOf(session);
  if (marks.branchesOf(agentId, origin).some((branch) => branch.sessionId === sessionId)) {
    await vscode.commands.executeCommand(commandIds.openFork, { agentId, sessionId });
  }
}

function refOf({ agent, info }: PanelSession): SessionRef {
  return { agentId: agent.id, sessionId: info.sessionId };
}
