import * as vscode from 'vscode';
import { cleanText } from '../model/titles';
import { openChanges } from '../views/transcript/openChanges';
import { showNew, withViewProgress } from './newSession';
import type { SessionCommands } from './sessions';
import { canDo, openSessionOf, type Target, targetOf, targetsOf } from './target';

/** "Resume without History" (RES-1): goes on where the session stopped, without reading what was said. */
export async function resumeSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target === undefined) {
    return;
  }
  const { agent, info } = target;
  const open = openSessionOf(commands, target);
  if (open !== undefined) {
    commands.panels.show(open);
    return;
  }
  if (await canDo(agent, 'resume', 'resume a session without its history')) {
    const session = await withViewProgress(() => commands.sessions.resume(agent, info));
    commands.panels.show(session).focusComposer();
  }
}

/** "Fork": another session with the same history. */
export async function forkSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target !== undefined && (await canDo(target.agent, 'fork', 'fork sessions'))) {
    const { agent, info } = target;
    const session = await withViewProgress(() =>
      commands.signIn.retrying(agent, () => commands.sessions.fork(agent, info)),
    );
    showNew(commands, session);
  }
}

/** Closing isn't deleting: the row stays (CLOSE-6). The tab goes, and with it the session. */
export async function closeSession(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  for (const target of targetsOf(commands, argument, selection)) {
    const tab = commands.panels.find(target.agent.id, target.info.sessionId);
    tab?.panel.dispose();
    await openSessionOf(commands, target)?.close();
  }
}

export async function renameSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target === undefined || !(await canDo(target.agent, 'title', 'rename sessions'))) {
    return;
  }
  const { agent, info } = target;
  const title = await vscode.window.showInputBox({
    title: 'Rename Session',
    value: target.title,
    validateInput: (text) => (text.trim() === '' ? 'A session needs a title.' : undefined),
  });
  if (title !== undefined && title !== target.title) {
    await commands.signIn.retrying(agent, () => commands.sessions.rename(agent, info, title));
  }
}

/** Archives all selected sessions; the message takes it back. */
export async function archiveSessions(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const archived: Target[] = [];
  for (const target of targetsOf(commands, argument, selection)) {
    if (await canDo(target.agent, 'archive', 'archive sessions')) {
      await setArchived(commands, target, true);
      archived.push(target);
    }
  }
  const [first] = archived;
  if (first !== undefined) {
    void offerUndo(commands, archived, first);
  }
}

async function offerUndo(
  commands: SessionCommands,
  archived: readonly Target[],
  first: Target,
): Promise<void> {
  const what =
    archived.length === 1 ? `“${cleanText(first.title, 60)}”` : `${archived.length} sessions`;
  const undo = 'Undo';
  if ((await vscode.window.showInformationMessage(`Archived ${what}.`, undo)) === undo) {
    for (const target of archived) {
      await setArchived(commands, target, false);
    }
    await commands.tree.refresh();
  }
}

function setArchived(
  { sessions, signIn }: SessionCommands,
  { agent, info }: Target,
  archived: boolean,
): Promise<void> {
  return signIn.retrying(agent, () => sessions.setArchived(agent, info, archived));
}

/** Cancels the turn that runs (CA-1). */
export function stopTurn(commands: SessionCommands, argument: unknown): void {
  const target = targetOf(commands, argument);
  if (target !== undefined) {
    openSessionOf(commands, target)?.cancelTurn();
  }
}

/** All changes of a session in one editor. */
export async function openSessionChanges(
  commands: SessionCommands,
  argument: unknown,
): Promise<void> {
  const target = targetOf(commands, argument);
  const session = target && openSessionOf(commands, target);
  if (session !== undefined) {
    const { cwd, additionalDirectories } = session.info;
    const context = { cwd, roots: [cwd, ...additionalDirectories] };
    await openChanges(commands.documents, session.changes.files, session.title, context);
  }
}
