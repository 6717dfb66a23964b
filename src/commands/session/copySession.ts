import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { name, publisher } from '../../../package.json';
import { sessionLinkPath, writeSessionQuery } from '../../model/session/sessionAddress';
import { isObject } from '../../util/json';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { CommandServices } from './commandServices';
import { type CommandTarget, findTarget, sessionNode } from './sessionTarget';

export async function copySessionId(tree: SessionsTree, argument: unknown): Promise<void> {
  const info = sessionNode(tree, argument)?.row.info;
  if (info !== undefined) {
    await vscode.env.clipboard.writeText(info.sessionId);
    vscode.window.setStatusBarMessage(l10n.t('Session ID copied'), 3000);
  }
}

/** "Copy Link to Session": a URL that opens the session in this editor after a confirmation. */
export async function copySessionLink(services: CommandServices, argument: unknown): Promise<void> {
  const target = findTarget(services, argument);
  if (target !== undefined) {
    await copyLink(target, undefined);
  }
}

/** "Copy Link to Entry", from the context menu of an entry in the active tab. */
export async function copyEntryLink(services: CommandServices, argument: unknown): Promise<void> {
  const entry = isObject(argument) ? argument['entry'] : undefined;
  const target = findTarget(services, undefined);
  if (target !== undefined && Number.isInteger(entry)) {
    await copyLink(target, entry as number);
  }
}

async function copyLink({ agent, info }: CommandTarget, entry: number | undefined): Promise<void> {
  const address = { agentId: agent.id, sessionId: info.sessionId, cwd: info.cwd };
  const query = writeSessionQuery(entry === undefined ? address : { ...address, entry });
  const link = `${vscode.env.uriScheme}://${publisher}.${name}${sessionLinkPath}?${query}`;
  await vscode.env.clipboard.writeText(link);
  vscode.window.setStatusBarMessage(l10n.t('Link copied'), 3000);
}
