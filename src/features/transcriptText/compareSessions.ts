import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CommandTarget, findKnown, getTargets } from '../../commands/session/sessionTarget';
import { sessionTitle } from '../../model/agents/whose';
import { originOf } from '../../model/marks/origin';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import { pickSession } from '../../views/picker/pickSession';
import { textFile } from './openAsText';
import type { TextServices } from './textServices';

/** "Compare…": the two selected ones, or one with its origin or another one that the user chooses. */
export async function compareSessions(
  services: TextServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const [left, second, ...more] = getTargets(services, argument, selection);
  if (left === undefined) {
    return;
  }
  if (more.length > 0) {
    void showInformationMessage(l10n.t('Two sessions can be compared. Select two of them.'));
    return;
  }
  const pair = second ? ([left, second] as const) : await pickPair(services, left);
  if (pair !== undefined) {
    await compare(services, ...pair);
  }
}

/** A session beside another one that the user chooses, the older one first; its origin is offered if it has one. */
async function pickPair(
  services: TextServices,
  session: CommandTarget,
): Promise<readonly [CommandTarget, CommandTarget] | undefined> {
  const origin = findOrigin(services, session);
  if (origin !== undefined) {
    const its = {
      label: l10n.t('$(git-branch) Its Origin'),
      description: cleanText(origin.title, 100),
    };
    const other = { label: l10n.t('$(search) Another Session…') };
    const picked = await vscode.window.showQuickPick([its, other], {
      title: l10n.t('Compare Sessions'),
      placeHolder: l10n.t('What is “{0}” compared with?', cleanText(session.title, 100)),
    });
    if (picked !== other) {
      return picked && [origin, session];
    }
  }
  const other = await pickOther(services);
  return other && [session, other];
}

/** The session that it was forked from, if that is known. */
function findOrigin(services: TextServices, fork: CommandTarget): CommandTarget | undefined {
  const { origin } = services.marks.get(fork.agent.id, fork.info.sessionId);
  return origin && findKnown(services, originOf(fork.agent.id, origin));
}

/** Shows what differs in the texts of two sessions. */
async function compare(
  services: TextServices,
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

async function pickOther(services: TextServices): Promise<CommandTarget | undefined> {
  const picked = await pickSession(services);
  return (
    picked && {
      agent: picked.list.agent,
      info: picked.row.info,
      title: picked.row.title,
    }
  );
}
