import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import { titleAbout } from '../../model/agents/whose';
import type { WorkspaceFolder } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { viewIds } from '../../platform/ids';
import { showInformationMessage } from '../../platform/ui/messages';
import type { Draft } from '../../shared/transcript/prompt';
import { askRemoteFolder } from '../../views/dialogs/askRemoteFolder';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import { findAgent, pickAgent } from '../agents/pickAgent';
import type { CommandServices } from './commandServices';

/**
 * "New Session": the page of a session that begins with its first prompt. Folder and agent are those of the row it is
 * called on, otherwise those of the last one.
 */
export async function newSession(services: CommandServices, argument: unknown): Promise<void> {
  await openNewPage(services, argument);
}

/**
 * Shows such a page, with a draft in its composer; `isMade`: for a place that is made, such as a worktree. `undefined` if
 * there is nowhere to begin.
 */
export async function openNewPage(
  services: CommandServices,
  argument: unknown,
  { draft, isMade = false }: { readonly draft?: Draft | undefined; readonly isMade?: boolean } = {},
): Promise<TranscriptPanel | undefined> {
  const { tree, newPages, panels, workspace } = services;
  const agent = findAgent(tree, argument) ?? newPages.lastAgent;
  if (agent === undefined) {
    void showInformationMessage(l10n.t('No agent is available for this.'));
    return undefined;
  }
  const folder = await newPages.folderFor(agent, findFolder(services, argument));
  if (folder === undefined) {
    if (workspace.folders.length === 0 && agent.config.remote === undefined) {
      sayNoFolder();
    }
    return undefined;
  }
  return panels.openNew({ agent, folder, isMade }, draft);
}

/** Begins a session at once, where the user says, without showing it; `undefined` if they cancel. */
export async function createSession(
  services: CommandServices,
  argument: unknown,
): Promise<Session | undefined> {
  const { agents, tree, sessions } = services;
  const title = l10n.t('New Session');
  const agent = findAgent(tree, argument) ?? (await pickAgent(services, agents.all, title));
  const folder = agent && (await folderFor(services, agent, argument, titleAbout(title, agent)));
  return agent && folder
    ? askForSession(services, agent, (signal) => sessions.create(agent, folder, signal))
    : undefined;
}

/**
 * Asks an agent for another session, or about one. Meanwhile the view shows progress, but not while a question to sign in is
 * open, and the user can give up if the agent doesn't answer.
 */
export function askForSession<T>(
  { signIn, slowAgents }: CommandServices,
  agent: Agent,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return signIn.retrying(agent, () => withViewProgress(() => slowAgents.waitFor(agent, ask)));
}

/** Shows a session that was just created, with the focus in the composer. */
export async function showNew({ panels }: CommandServices, session: Session): Promise<void> {
  (await panels.show(session)).focusComposer();
}

/** Shows progress in the view if the work takes a moment. */
export function withViewProgress<T>(work: () => Promise<T>): Promise<T> {
  const location = { viewId: viewIds.sessions };
  return Promise.resolve(vscode.window.withProgress({ location }, work));
}

async function folderFor(
  services: CommandServices,
  agent: Agent,
  argument: unknown,
  title: string,
): Promise<WorkspaceFolder | undefined> {
  const chooseOurs = async () =>
    findFolder(services, argument) ?? (await pickFolder(services, title));
  const { remote } = agent.config;
  if (remote === undefined) {
    return chooseOurs();
  }
  return askRemoteFolder(services, agent, remote, chooseOurs);
}

/** The folder of a row's list, or the only one of the workspace. */
function findFolder(
  { tree, workspace }: Pick<CommandServices, 'tree' | 'workspace'>,
  argument: unknown,
): WorkspaceFolder | undefined {
  if (tree.isNode(argument) && 'list' in argument && argument.list.folder !== undefined) {
    return argument.list.folder;
  }
  const { folders } = workspace;
  return folders.length === 1 ? folders[0] : undefined;
}

async function pickFolder(
  { workspace }: Pick<CommandServices, 'workspace'>,
  title: string,
): Promise<WorkspaceFolder | undefined> {
  const { folders } = workspace;
  if (folders.length === 0) {
    sayNoFolder();
    return undefined;
  }
  const items = folders.map((folder) => ({
    label: folder.name,
    description: cleanText(folder.path, 500),
    folder,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('In which folder?'),
  });
  return picked?.folder;
}

function sayNoFolder(): void {
  void showInformationMessage(l10n.t('Open a folder first: sessions belong to folders.'));
}
