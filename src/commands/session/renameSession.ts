import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { titleAbout } from '../../model/agents/whose';
import { cleanText, labelOf } from '../../model/text/titles';
import { plainMessage } from '../../platform/ui/messages';
import type { SessionCommands } from './sessionCommands';
import { idOf, type Target, targetOf } from './target';

/** "Rename…" for the session of the active tab. */
export async function renameSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target !== undefined) {
    await renameTarget(commands, target);
  }
}

/** "Rename Locally…": a name that the agent doesn't get. */
export async function nameSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target !== undefined) {
    await nameTarget(commands, target);
  }
}

export async function unnameSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target !== undefined) {
    await commands.marks.setAlias(idOf(target), undefined);
  }
}

/** Renames the session at its agent if that is supported; otherwise keeps the name locally. */
export async function renameTarget(commands: SessionCommands, target: Target): Promise<void> {
  const { agent } = target;
  if (agent.state.kind !== 'ready') {
    await agent.connect();
  }
  await (agent.supports('title') ? retitleTarget(commands, target) : nameTarget(commands, target));
}

async function retitleTarget(commands: SessionCommands, target: Target): Promise<void> {
  const { agent, info } = target;
  const title = await vscode.window.showInputBox({
    title: titleAbout(l10n.t('Rename Session'), agent),
    value: target.title,
    validateInput: (text) => (text.trim() === '' ? l10n.t('A session needs a title.') : undefined),
  });
  if (title === undefined || title === target.title) {
    return;
  }
  await commands.signIn.retrying(agent, () => commands.sessions.rename(agent, info, title));
  // A local name would hide the new title.
  await commands.marks.setAlias(idOf(target), undefined);
}

async function nameTarget(commands: SessionCommands, target: Target): Promise<void> {
  const title = labelOf(target.info.title);
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
    await commands.marks.setAlias(idOf(target), isOwn ? name : undefined);
  }
}
