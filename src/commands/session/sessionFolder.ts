import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent, SessionRow } from '../../model/agent';
import { sessionName, titleAbout } from '../../model/agents/whose';
import type { SessionPlaces } from '../../model/places/sessionPlaces';
import { cleanText } from '../../model/text/titles';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { literalLine } from '../../shared/literal';
import { isElsewhere } from '../../util/elsewhere';
import { isNetworkPath } from '../../util/networkPath';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { CommandServices } from './commandServices';
import { type CommandTarget, findOpenSession, findTarget, sessionNode } from './sessionTarget';

export interface FolderServices extends CommandServices {
  readonly places: SessionPlaces;
}

/** A session, and the folder that its agent has for it. */
interface Found extends CommandTarget {
  readonly from: string;
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
      isElsewhere(info.cwd)
        ? l10n.t('The session’s folder is on another machine: {0}', literalLine(info.cwd))
        : l10n.t('The folder of {0} is gone: {1}', session, literalLine(info.cwd)),
    );
    return;
  }
  const uri = vscode.Uri.file(info.cwd);
  const inWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  await vscode.commands.executeCommand(inWorkspace ? 'revealInExplorer' : 'revealFileInOS', uri);
}

async function isFolder({ cwd }: SessionRow['info']): Promise<boolean> {
  // The path comes from the agent.
  if (isNetworkPath(cwd) || isElsewhere(cwd)) {
    return false;
  }
  try {
    return (await stat(cwd)).isDirectory();
  } catch {
    return false;
  }
}

/**
 * "Locate Folder…": the user chooses where a session's folder is now, or that it is where its agent has it. This applies
 * to all sessions of that agent in the folder; this one is opened there.
 */
export async function locateFolder(services: FolderServices, argument: unknown): Promise<void> {
  const target = find(services, argument);
  if (target === undefined) {
    return;
  }
  const { agent, from } = target;
  const { moved, gone } = services.places;
  const place = moved.getPlace(agent.id, from);
  const way = place === from ? 'locate' : await askWay(agent, place);
  if (way !== 'locate') {
    if (way === 'forget') {
      await forget(services, target);
    }
    return;
  }
  const picked = await askFolder(agent, place);
  if (picked === undefined) {
    return;
  }
  if (picked.scheme !== 'file' || (await gone.check(picked.fsPath))) {
    void showErrorMessage(
      l10n.t(
        '{0} can’t work in {1}: it isn’t a folder on this machine.',
        cleanText(agent.title, 60),
        picked.toString(true),
      ),
    );
    return;
  }
  await moved.move(agent.id, from, picked.fsPath);
  await openAgain(services, target, sessionNode(services.tree, argument) === undefined);
  await offerUndo(services, target, picked.fsPath);
}

function find(services: FolderServices, argument: unknown): Found | undefined {
  const target = findTarget(services, argument);
  if (target === undefined) {
    return undefined;
  }
  const { agent, info } = target;
  // A row has the agent's folder, an open session the one that it was opened in.
  const isRow = sessionNode(services.tree, argument) !== undefined;
  const from = isRow ? info.cwd : services.places.moved.getOrigin(agent.id, info.cwd);
  return { ...target, info: { ...info, cwd: from }, from };
}

async function forget(services: FolderServices, target: Found): Promise<void> {
  await services.places.moved.forget(target.agent.id, target.from);
  await openAgain(services, target, false);
}

/** What the user wants of a folder that they have located before. */
async function askWay(agent: Agent, place: string): Promise<'locate' | 'forget' | undefined> {
  const items = [
    { label: l10n.t('Choose Another Folder…'), way: 'locate' },
    { label: l10n.t('Forget Located Folder'), way: 'forget' },
  ] as const;
  const picked = await vscode.window.showQuickPick(items, {
    title: titleAbout(l10n.t('Located in {0}', cleanText(literalLine(place), 200)), agent),
  });
  return picked?.way;
}

/** Starts in the parent of the old folder. */
async function askFolder(agent: Agent, cwd: string): Promise<vscode.Uri | undefined> {
  const name = cleanText(literalLine(cwd), 200);
  const picked = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    defaultUri: vscode.Uri.file(path.dirname(cwd)),
    openLabel: l10n.t('Use This Folder'),
    title: titleAbout(l10n.t('Where is {0} now?', name), agent),
  });
  return picked?.[0];
}

/** A session keeps the folder that it was opened with, so an open one must be opened again. */
async function openAgain(
  services: FolderServices,
  target: CommandTarget,
  isShown: boolean,
): Promise<void> {
  const { agent, info } = target;
  const hadTab = services.panels.find(agent.id, info.sessionId) !== undefined;
  await services.panels.close(agent.id, info.sessionId);
  await findOpenSession(services, target)?.close();
  if (hadTab || isShown) {
    await services.panels.open(agent, info);
  }
}

async function offerUndo(services: FolderServices, target: Found, to: string): Promise<void> {
  const undo = l10n.t('Undo');
  const said = l10n.t(
    'Sessions of {0} with {1} open in {2} from now on.',
    cleanText(literalLine(target.from), 300),
    cleanText(target.agent.title, 60),
    cleanText(literalLine(to), 300),
  );
  if ((await showInformationMessage(said, undo)) === undo) {
    await forget(services, target);
  }
}
