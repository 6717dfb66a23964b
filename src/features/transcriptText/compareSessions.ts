import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type CommandTarget,
  findTarget,
  getTargets,
  unknownSession,
} from '../../commands/session/sessionTarget';
import { sessionTitle } from '../../model/agents/whose';
import { getTitle } from '../../model/list/promptTitles';
import { originOf } from '../../model/marks/origin';
import { showInformationMessage } from '../../platform/ui/messages';
import { pickSession } from '../../views/picker/pickSession';
import { textFile } from './openAsText';
import type { TextServices } from './textServices';

/** "Compare Sessions": the two selected ones, or one with another that the user chooses. */
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
  const right = second ?? (await pickOther(services));
  if (right !== undefined) {
    await compare(services, left, right);
  }
}

/** "Compare with Origin": a session with the one that it was forked from. */
export async function compareWithOrigin(services: TextServices, argument: unknown): Promise<void> {
  const fork = findTarget(services, argument);
  const origin = fork && services.marks.get(fork.agent.id, fork.info.sessionId).origin;
  if (fork === undefined || origin === undefined) {
    return;
  }
  const named = originOf(fork.agent.id, origin);
  const agent = services.agents.get(named.agentId);
  const info = services.admission.find(named);
  if (agent === undefined || info === undefined) {
    void showInformationMessage(unknownSession());
    return;
  }
  const title = services.marks.get(named.agentId, named.sessionId).alias ?? getTitle(info);
  await compare(services, { agent, info, title }, fork);
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
