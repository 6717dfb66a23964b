import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agent';
import { titleAbout } from '../../model/agents/whose';
import { RemoteFolders } from '../../model/places/remoteFolders';
import type { RemoteAgent, WorkspaceFolder } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import type { VsCodeSettings } from '../../platform/settings/settings';
import { plainLabel } from '../plainLabel';

/**
 * Where a new session of an agent on another machine begins: in the folder that the settings name for it, in the
 * workspace folder if that is mapped, otherwise where the user says, which is kept in the settings. `undefined` if the
 * user cancels.
 */
export async function askRemoteFolder(
  { settings }: { readonly settings: Pick<VsCodeSettings, 'changeAgent'> },
  agent: Agent,
  remote: RemoteAgent,
  chooseOurs: () => Promise<WorkspaceFolder | undefined>,
): Promise<WorkspaceFolder | undefined> {
  const { cwd } = agent.config;
  if (cwd !== undefined) {
    return { name: '', path: cwd };
  }
  const folders = new RemoteFolders(remote);
  if (remote.pathMappings.length > 0) {
    const ours = await chooseOurs();
    if (ours === undefined || folders.isMapped(ours.path)) {
      return ours;
    }
  }
  const theirs = await chooseTheirs(agent, folders);
  if (theirs === undefined) {
    return undefined;
  }
  await settings.changeAgent(agent.id, { cwd: theirs });
  return { name: '', path: folders.mark(theirs) };
}

async function chooseTheirs(agent: Agent, folders: RemoteFolders): Promise<string | undefined> {
  const title = titleAbout(l10n.t('Folder for New Sessions'), agent);
  const known = folders.ofSessions(agent);
  if (known.length === 0) {
    return ask(title, folders.host);
  }
  const other = { label: l10n.t('Another Folder…'), folder: undefined };
  const items = known.map((folder) => ({ label: plainLabel(cleanText(folder, 500)), folder }));
  const chosen = await vscode.window.showQuickPick([...items, other], {
    title,
    placeHolder: l10n.t('Where new sessions begin on {0}; kept in the settings', folders.host),
  });
  return chosen === other ? ask(title, folders.host) : chosen?.folder;
}

async function ask(title: string, host: string): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: l10n.t(
      'The folder on {0} where new sessions begin. It is kept as "cwd" in the settings of the agent.',
      host,
    ),
    placeHolder: '/srv/app',
    ignoreFocusOut: true,
    validateInput: (value) =>
      path.win32.isAbsolute(value.trim()) ? undefined : l10n.t('Enter an absolute path.'),
  });
  return text?.trim();
}
