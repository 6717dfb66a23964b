import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionRow } from '../../model/agents/agent';
import type { Agents } from '../../model/agents/agents';
import { sessionName } from '../../model/agents/whose';
import type { SessionMarks } from '../../model/marks/marks';
import type { Workspace } from '../../model/ports';
import type { LateReviews } from '../../model/review/lateReviews';
import type { Sessions } from '../../model/session/sessions';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { showWarningMessage } from '../../platform/ui/messages';
import { literalLine } from '../../shared/literal';
import { isNetworkPath } from '../../util/networkPath';
import type { Attention } from '../../views/attention/attention';
import type { SignIn } from '../../views/dialogs/signIn';
import type { SessionNode } from '../../views/sessions/nodes/nodes';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { SessionReaders } from '../../views/transcript/text/sessionReaders';
import type { TranscriptFiles } from '../../views/transcript/text/transcriptFiles';
import type { SlowAgents } from './slowAgents';

/** The services for commands on sessions. */
export interface SessionCommands {
  readonly agents: Agents;
  readonly workspace: Workspace;
  readonly tree: SessionsTree;
  readonly panels: TranscriptPanels;
  readonly sessions: Sessions;
  readonly marks: SessionMarks;
  readonly attention: Attention;
  readonly reviews: LateReviews;
  readonly documents: ReadOnlyDocuments;
  readonly transcriptFiles: TranscriptFiles;
  readonly readers: SessionReaders;
  readonly signIn: SignIn;
  readonly slowAgents: SlowAgents;
}

export async function copySessionId(tree: SessionsTree, argument: unknown): Promise<void> {
  const info = sessionNode(tree, argument)?.row.info;
  if (info !== undefined) {
    await vscode.env.clipboard.writeText(info.sessionId);
    vscode.window.setStatusBarMessage(l10n.t('Session ID copied'), 3000);
  }
}

/** Shows a session's folder, if it exists, in the Explorer or in the system's file manager. */
export async function revealSessionCwd(tree: SessionsTree, argument: unknown): Promise<void> {
  const node = sessionNode(tree, argument);
  if (node === undefined) {
    return;
  }
  const { info, title } = node.row;
  if (!(await isFolder(info))) {
    const session = sessionName({ agent: node.list.agent, title });
    void showWarningMessage(
      l10n.t('The folder of {0} is gone: {1}', session, literalLine(info.cwd)),
    );
    return;
  }
  const uri = vscode.Uri.file(info.cwd);
  const inWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  await vscode.commands.executeCommand(inWorkspace ? 'revealInExplorer' : 'revealFileInOS', uri);
}

async function isFolder({ cwd }: SessionRow['info']): Promise<boolean> {
  // The path comes from the agent.
  if (isNetworkPath(cwd)) {
    return false;
  }
  try {
    return (await stat(cwd)).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Retries the failure that a message of the tree reports; without a message, all lists that have
 * failed.
 */
export async function retryList(tree: SessionsTree, argument: unknown): Promise<void> {
  if (!tree.isNode(argument) || argument.kind !== 'message') {
    const failed = tree.lists.filter(
      ({ agent, state, stale }) =>
        agent.state.kind === 'failed' || state.kind === 'failed' || stale !== undefined,
    );
    await Promise.all(failed.map((list) => list.refresh()));
    return;
  }
  const { list, message } = argument;
  if (message.kind === 'moreFailed' || message.kind === 'moreStopped') {
    await list.loadMore();
  } else {
    await list.refresh();
  }
}

export function sessionNode(tree: SessionsTree, argument: unknown): SessionNode | undefined {
  return tree.isNode(argument) && argument.kind === 'session' ? argument : undefined;
}
