import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionTitle } from '../../model/agents/whose';
import { labelOf } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import { pickSession } from '../../views/picker/pickSession';
import type { CommandServices } from '../session/commandServices';
import { type CommandTarget, targetsOf } from '../session/sessionTarget';
import { withText } from './borrowSession';

/**
 * "Open as Text": the transcript as a document, for VS Code's own find, outline, preview and
 * comparison.
 */
export async function openAsText(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  for (const target of targetsOf(services, argument, selection)) {
    const uri = await textFile(services, target);
    if (uri !== undefined) {
      await vscode.window.showTextDocument(uri, { preview: false });
    }
  }
}

/** "Compare Sessions": the two selected ones, or one with another that the user chooses. */
export async function compareSessions(
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const [left, second, ...more] = targetsOf(services, argument, selection);
  if (left === undefined) {
    return;
  }
  if (more.length > 0) {
    void showInformationMessage(l10n.t('Two sessions can be compared. Select two of them.'));
    return;
  }
  const right = second ?? (await pickOther(services));
  if (right !== undefined) {
    await compare(services, left, right);
  }
}

/** Shows what differs in the texts of two sessions. */
export async function compare(
  services: CommandServices,
  left: CommandTarget,
  right: CommandTarget,
): Promise<void> {
  const before = await textFile(services, left);
  const after = before && (await textFile(services, right));
  if (after !== undefined) {
    const title = `${sessionTitle(left)} ↔ ${sessionTitle(right)}`;
    await vscode.commands.executeCommand('vscode.diff', before, after, title);
  }
}

async function pickOther(services: CommandServices): Promise<CommandTarget | undefined> {
  const picked = await pickSession(services);
  return (
    picked && {
      agent: picked.list.agent,
      info: picked.row.info,
      title: labelOf(picked.row.info.title),
    }
  );
}

function textFile(
  services: CommandServices,
  target: CommandTarget,
): Promise<vscode.Uri | undefined> {
  return withText(
    services,
    target,
    (session) => l10n.t('Reading {0}', session),
    (source) => services.transcriptFiles.add(target.agent, source),
  );
}
