import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent';
import { titleAbout } from '../../model/agents/whose';
import type { RemoteAgent, WorkspaceFolder } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import { TheirPaths } from '../../protocol/transport/remote/theirPaths';
import { isElsewhere, markElsewhere } from '../../util/elsewhere';
import { plainLabel } from '../../views/plainLabel';
import type { CommandServices } from './commandServices';

/** How many folders of the agent's sessions are offered. */
const mostOffered = 20;

/**
 * Where a new session of an agent on another machine begins: in the folder that the settings name for it, in the
 * workspace folder if that is mapped, otherwise where the user says, which is kept in the settings. `undefined` if the
 * user cancels.
 */
export async function remoteFolder(
  { settings }: Pick<CommandServices, 'settings'>,
  agent: Agent,
  { url, pathMappings }: RemoteAgent,
  chooseOurs: () => Promise<WorkspaceFolder | undefined>,
): Promise<WorkspaceFolder | undefined> {
  const { cwd } = agent.config;
  if (cwd !== undefined) {
    return { name: '', path: cwd };
  }
  const { host } = new URL(url);
  const paths = new TheirPaths(host, pathMappings);
  if (pathMappings.length > 0) {
    const ours = await chooseOurs();
    if (ours === undefined || paths.outward(ours.path) !== undefined) {
      return ours;
    }
  }
  const theirs = await chooseTheirs(agent, host, knownFolders(agent, paths));
  if (theirs === undefined) {
    return undefined;
  }
  await settings.changeAgent(agent.id, { cwd: theirs });
  return { name: '', path: markElsewhere(host, theirs) };
}

/** The folders of the agent's listed sessions that aren't on this machine, as the other one writes them; the newest first. */
function knownFolders(agent: Agent, paths: TheirPaths): readonly string[] {
  const { rows } = agent.sessionList(undefined);
  const known = rows.flatMap(({ info: { cwd } }) =>
    isElsewhere(cwd) ? (paths.outward(cwd) ?? []) : [],
  );
  return [...new Set(known)].slice(0, mostOffered);
}

async function chooseTheirs(
  agent: Agent,
  host: string,
  known: readonly string[],
): Promise<string | undefined> {
  const title = titleAbout(l10n.t('Folder for New Sessions'), agent);
  if (known.length === 0) {
    return ask(title, host);
  }
  const other = { label: l10n.t('Another Folder…'), folder: undefined };
  const items = known.map((folder) => ({ label: plainLabel(cleanText(folder, 500)), folder }));
  const chosen = await vscode.window.showQuickPick([...items, other], {
    title,
    placeHolder: l10n.t('Where new sessions begin on {0}; kept in the settings', host),
  });
  return chosen === other ? ask(title, host) : chosen?.folder;
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
