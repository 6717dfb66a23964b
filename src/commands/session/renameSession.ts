import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { titleAbout } from '../../model/agents/whose';
import { getTitle } from '../../model/list/promptTitles';
import { cleanText } from '../../model/text/titles';
import { plainMessage } from '../../platform/ui/messages';
import { getRef } from '../../shared/sessionRef';
import { chosenTargets, focusedRows, type RowServices } from './chosenTargets';
import type { CommandServices } from './commandServices';
import type { CommandTarget } from './sessionTarget';

/**
 * "Rename…": at the session's agent if it can, or only in the user's views; where the agent can't, only there. A key
 * renames at the agent at once. Does nothing with several rows, because it isn't clear which one is meant.
 */
export async function renameSession(services: RowServices, argument: unknown): Promise<void> {
  const [target, another] = await chosenTargets(services, argument, undefined);
  if (target === undefined || another !== undefined) {
    return;
  }
  const { capabilities } = await target.agent.connect();
  const where =
    capabilities.title && argument !== focusedRows ? await askWhere(target) : capabilities.title;
  if (where !== undefined) {
    await (where ? retitle(services, target) : nameLocally(services, target));
  }
}

/** Whether the agent is to rename the session; `undefined` if the user cancels. */
async function askWhere(target: CommandTarget): Promise<boolean | undefined> {
  const items = [
    {
      label: l10n.t('Rename'),
      detail: l10n.t('{0} keeps the new title.', agentName(target)),
      atAgent: true,
    },
    {
      label: l10n.t('Rename Locally'),
      detail: l10n.t('Only your views show the name. An empty one removes it.'),
      atAgent: false,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: titleAbout(l10n.t('Rename Session'), target.agent),
  });
  return picked?.atAgent;
}

async function retitle(services: CommandServices, target: CommandTarget): Promise<void> {
  const { agent, info } = target;
  const title = await vscode.window.showInputBox({
    title: titleAbout(l10n.t('Rename Session'), agent),
    value: target.title,
    validateInput: (text) => (text.trim() === '' ? l10n.t('A session needs a title.') : undefined),
  });
  if (title === undefined || title === target.title) {
    return;
  }
  await services.signIn.retrying(agent, () => services.sessions.rename(agent, info, title));
  // A local name would hide the new title.
  await services.marks.setAlias(getRef(target), undefined);
}

/** A name that the agent doesn't get. */
async function nameLocally(services: CommandServices, target: CommandTarget): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: titleAbout(l10n.t('Rename Session Locally'), target.agent),
    prompt: l10n.t(
      '{0} keeps its title; this name shows in your views. Leave it empty for none.',
      agentName(target),
    ),
    placeHolder: getTitle(target.info),
    value: target.title,
  });
  if (name !== undefined) {
    await setLocalName(services, target, name);
  }
}

/** Keeps a name that the agent doesn't get; its own title, or none, removes it. */
async function setLocalName(
  { marks }: CommandServices,
  target: CommandTarget,
  name: string,
): Promise<void> {
  const isOwn = name.trim() !== getTitle(target.info);
  await marks.setAlias(getRef(target), isOwn ? name : undefined);
}

function agentName({ agent }: CommandTarget): string {
  return plainMessage(cleanText(agent.title, 60));
}
