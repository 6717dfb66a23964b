import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText, labelOf } from '../model/titles';
import { showInformationMessage } from '../platform/messages';
import { openChanges } from '../views/transcript/openChanges';
import { showNew, withViewProgress } from './newSession';
import type { SessionCommands } from './sessions';
import { canDo, openSessionOf, targetOf, targetsOf } from './target';

/** "Resume without History" (RES-1): goes on where the session stopped, without reading what was said. */
export async function resumeSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target === undefined) {
    return;
  }
  const { agent, info } = target;
  const open = openSessionOf(commands, target);
  if (open !== undefined) {
    await commands.panels.show(open);
    return;
  }
  if (await canDo(agent, 'resume')) {
    const session = await withViewProgress(() => commands.sessions.resume(agent, info));
    (await commands.panels.show(session)).focusComposer();
  }
}

/** "Fork": another session with the same history. */
export async function forkSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target !== undefined && (await canDo(target.agent, 'fork'))) {
    const { agent, info } = target;
    const session = await withViewProgress(() =>
      commands.signIn.retrying(agent, () => commands.sessions.fork(agent, info)),
    );
    await showNew(commands, session);
  }
}

/** Closing isn't deleting: the row stays (CLOSE-6). The tab goes, and with it the session. */
export async function closeSession(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  for (const target of targetsOf(commands, argument, selection)) {
    await commands.panels.close(target.agent.id, target.info.sessionId);
    await openSessionOf(commands, target)?.close();
  }
}

export async function renameSession(commands: SessionCommands, argument: unknown): Promise<void> {
  const target = targetOf(commands, argument);
  if (target === undefined || !(await canDo(target.agent, 'title'))) {
    return;
  }
  const { agent, info } = target;
  const before = labelOf(info.title);
  const title = await vscode.window.showInputBox({
    title: l10n.t('Rename Session'),
    value: before,
    validateInput: (text) => (text.trim() === '' ? l10n.t('A session needs a title.') : undefined),
  });
  if (title !== undefined && title !== before) {
    await commands.signIn.retrying(agent, () => commands.sessions.rename(agent, info, title));
  }
}

/** Cancels the turn that runs (CA-1). */
export function stopTurn(commands: SessionCommands, argument: unknown): void {
  const target = targetOf(commands, argument);
  if (target !== undefined) {
    openSessionOf(commands, target)?.cancelTurn();
  }
}

/** Takes back what a person has allowed for as long as the session is open. */
export function askAgain(commands: SessionCommands, argument: unknown): void {
  const target = targetOf(commands, argument);
  const session = target && openSessionOf(commands, target);
  if (session !== undefined) {
    session.acts.askAgain();
    void showInformationMessage(
      l10n.t(
        'You are asked again before {0} changes files, runs commands or uses other folders in “{1}”.',
        cleanText(session.agent.title, 60),
        cleanText(session.title, 60),
      ),
    );
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
    const context = { cwd: session.info.cwd, roots: session.roots };
    await openChanges(commands.documents, session.changes.files, session.title, context);
  }
}
