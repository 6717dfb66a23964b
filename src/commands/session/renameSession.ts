import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { titleAbout } from '../../model/agents/whose';
import { getTitle } from '../../model/list/promptTitles';
import { cleanText } from '../../model/text/titles';
import { plainMessage } from '../../platform/ui/messages';
import { getRef } from '../../shared/sessionRef';
import type { CommandServices } from './commandServices';
import { type CommandTarget, findTarget } from './sessionTarget';

/** "Rename…" for the session of the active tab. */
export async function renameSession(services: CommandServices, argument: unknown): Promise<void> {
  const target = findTarget(services, argument);
  if (target !== undefined) {
    await renameTarget(services, target);
  }
}

/** "Rename Locally…": a name that the agent doesn't get. */
export async function nameSession(services: CommandServices, argument: unknown): Promise<void> {
  const target = findTarget(services, argument);
  if (target !== undefined) {
    await nameTarget(services, target);
  }
}

export async function unnameSession(services: CommandServices, argument: unknown): Promise<void> {
  const target = findTarget(services, argument);
  if (target !== undefined) {
    await services.marks.setAlias(getRef(target), undefined);
  }
}

/** Renames the session at its agent if that is supported; otherwise keeps the name locally. */
export async function renameTarget(
  services: CommandServices,
  target: CommandTarget,
): Promise<void> {
  const { capabilities } = await target.agent.connect();
  await (capabilities.title ? retitleTarget(services, target) : nameTarget(services, target));
}

async function retitleTarget(services: CommandServices, target: CommandTarget): Promise<void> {
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

async function nameTarget(services: CommandServices, target: CommandTarget): Promise<void> {
  const title = getTitle(target.info);
  const name = await vscode.window.showInputBox({
    title: titleAbout(l10n.t('Rename Session Locally'), target.agent),
    prompt: l10n.t(
      '{0} keeps its title; this name shows in your views. Leave it empty for none.',
      plainMessage(cleanText(target.agent.title, 60)),
    ),
    placeHolder: title,
    value: target.title,
  });
  if (name !== undefined) {
    const isOwn = name.trim() !== title;
    await services.marks.setAlias(getRef(target), isOwn ? name : undefined);
  }
}
