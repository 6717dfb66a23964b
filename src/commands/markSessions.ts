import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { timestampOf } from '../model/timestamps';
import { labelOf } from '../model/titles';
import type { SessionCommands } from './sessions';
import { idOf, openSessionOf, targetOf, targetsOf } from './target';

export function pinSessions(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
  pinned: boolean,
): Promise<void> {
  return commands.marks.setPinned(targetsOf(commands, argument, selection).map(idOf), pinned);
}

/** "Rename Locally…": a name that the agent knows nothing of. */
export async function nameSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target === undefined) {
    return;
  }
  const name = await vscode.window.showInputBox({
    title: l10n.t('Rename Session Locally'),
    prompt: l10n.t(
      'The agent keeps its title; this name shows in your views. Leave it empty for none.',
    ),
    placeHolder: labelOf(target.info.title),
    value: target.title,
  });
  if (name !== undefined) {
    const isOwn = name.trim() !== labelOf(target.info.title);
    await commands.marks.setAlias(idOf(target), isOwn ? name : undefined);
  }
}

export async function unnameSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target !== undefined) {
    await commands.marks.setAlias(idOf(target), undefined);
  }
}

export async function markRead(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const targets = targetsOf(commands, argument, selection);
  for (const target of targets) {
    const session = openSessionOf(commands, target);
    if (session !== undefined) {
      commands.attention.setRead(session);
    }
  }
  await commands.marks.setRead(
    targets.map((target) => ({ ...idOf(target), updatedAt: timestampOf(target.info.updatedAt) })),
  );
}

export function markUnread(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  return commands.marks.setUnread(targetsOf(commands, argument, selection).map(idOf));
}
