import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent';
import { titleAbout } from '../../model/agents/whose';
import type { SessionPlaces } from '../../model/places/sessionPlaces';
import { cleanText } from '../../model/text/titles';
import { showErrorMessage, showInformationMessage } from '../../platform/ui/messages';
import { literalLine } from '../../shared/literal';
import { type SessionCommands, sessionNode } from './sessionCommands';
import { openSessionOf, type Target, targetOf } from './target';

export interface FolderCommands extends SessionCommands {
  readonly places: SessionPlaces;
}

/** A session, and the folder that its agent has for it. */
interface Found extends Target {
  readonly from: string;
}

/**
 * "Locate Folder…": the user chooses where a session's folder is now. This applies to all sessions of that
 * agent in the folder; this one is opened there.
 */
export async function locateFolder(commands: FolderCommands, argument: unknown): Promise<void> {
  const target = find(commands, argument);
  if (target === undefined) {
    return;
  }
  const { agent, from } = target;
  const { moved, gone } = commands.places;
  const picked = await askFolder(agent, moved.placeOf(agent.id, from));
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
  await openAgain(commands, target, sessionNode(commands.tree, argument) === undefined);
  await offerUndo(commands, target, picked.fsPath);
}

/** "Forget the New Folder": its sessions open in their agent's folder again. */
export async function forgetFolder(commands: FolderCommands, argument: unknown): Promise<void> {
  const target = find(commands, argument);
  if (target !== undefined) {
    await forget(commands, target);
  }
}

function find(commands: FolderCommands, argument: unknown): Found | undefined {
  const target = targetOf(commands, argument);
  if (target === undefined) {
    return undefined;
  }
  const { agent, info } = target;
  // A row has the agent's folder, an open session the one that it was opened in.
  const isRow = sessionNode(commands.tree, argument) !== undefined;
  const from = isRow ? info.cwd : commands.places.moved.originOf(agent.id, info.cwd);
  return { ...target, info: { ...info, cwd: from }, from };
}

async function forget(commands: FolderCommands, target: Found): Promise<void> {
  await commands.places.moved.forget(target.agent.id, target.from);
  await openAgain(commands, target, false);
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
  commands: FolderCommands,
  target: Target,
  isShown: boolean,
): Promise<void> {
  const { agent, info } = target;
  const hadTab = commands.panels.find(agent.id, info.sessionId) !== undefined;
  await commands.panels.close(agent.id, info.sessionId);
  await openSessionOf(commands, target)?.close();
  if (hadTab || isShown) {
    await commands.panels.open(agent, info);
  }
}

async function offerUndo(commands: FolderCommands, target: Found, to: string): Promise<void> {
  const undo = l10n.t('Undo');
  const said = l10n.t(
    'Sessions of {0} with {1} open in {2} from now on.',
    cleanText(literalLine(target.from), 300),
    cleanText(target.agent.title, 60),
    cleanText(literalLine(to), 300),
  );
  if ((await showInformationMessage(said, undo)) === undo) {
    await forget(commands, target);
  }
}
