import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import { titleAbout } from '../../model/agents/whose';
import type { WorkspaceFolder } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { trustedDefaults } from '../../model/session/sessions';
import { cleanText } from '../../model/text/titles';
import { viewIds } from '../../platform/ids';
import { showInformationMessage } from '../../platform/ui/messages';
import { findAgent, pickAgent } from '../agents/pickAgent';
import { askRemoteFolder } from './askRemoteFolder';
import type { CommandServices } from './commandServices';

/** "New Session": folder and agent are those of the row it is called on; otherwise the user is asked. */
export async function newSession(services: CommandServices, argument: unknown): Promise<void> {
  const session = await createSession(services, argument);
  if (session !== undefined) {
    await showNew(services, session);
  }
}

/** Begins a session without showing it; `undefined`, or a rejection at the last step, if the user cancels. */
export async function createSession(
  services: CommandServices,
  argument: unknown,
): Promise<Session | undefined> {
  const { agents, tree, sessions, workspace } = services;
  const title = l10n.t('New Session');
  const agent = findAgent(tree, argument) ?? (await pickAgent(services, agents.all, title));
  const folder = agent && (await folderFor(services, agent, argument, titleAbout(title, agent)));
  if (agent === undefined || folder === undefined) {
    return undefined;
  }
  // Most agents don't tell their options early: for them it is one thing to wait for.
  const first = await askForSession(services, agent, async (signal) => {
    const told = await sessions.firstOptions(agent, folder, signal);
    const isTold = agent.current.supports('options');
    return isTold ? { told } : { session: await sessions.create(agent, folder, signal) };
  });
  if ('session' in first) {
    return first.session;
  }
  const { current } = agent;
  const defaults = trustedDefaults(current, workspace);
  const beginning = await services.firstOptions.ask(current, first.told, defaults);
  return askForSession(services, agent, (signal) =>
    sessions.create(agent, folder, signal, { beginning }),
  );
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
export function findFolder(
  { tree, workspace }: Pick<CommandServices, 'tree' | 'workspace'>,
  argument: unknown,
): WorkspaceFolder | undefined {
  if (tree.isNode(argument) && 'list' in argument && argument.list.folder !== undefined) {
    return argument.list.folder;
  }
  const { folders } = workspace;
  return folders.length === 1 ? folders[0] : undefined;
}

export async function pickFolder(
  { workspace }: Pick<CommandServices, 'workspace'>,
  title: string,
): Promise<WorkspaceFolder | undefined> {
  const { folders } = workspace;
  if (folders.length === 0) {
    void showInformationMessage(l10n.t('Open a folder first: sessions belong to folders.'));
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
