import * as l10n from '@vscode/l10n';
import type { Agent } from '../model/agent';
import { cleanText } from '../model/titles';
import { showInformationMessage } from '../platform/messages';
import { openChanges } from '../views/transcript/openChanges';
import { showNew, withViewProgress } from './newSession';
import type { SessionCommands } from './sessions';
import { canDo, openSessionOf, refuse, targetOf, targetsOf } from './target';

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
  if (await canDo(agent, 'resume')) {
    const session = await withViewProgress(() => commands.sessions.resume(agent, info));
    commands.panels.show(session).focusComposer();
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
    showNew(commands, session);
  }
}

/** Closing isn't deleting: the row stays (CLOSE-6). The tab goes, and with it the session. Only where its agent can. */
export async function closeSession(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const refusing = new Set<Agent>();
  for (const target of targetsOf(commands, argument, selection)) {
    const { agent, info } = target;
    const session = openSessionOf(commands, target);
    if (session !== undefined && agent.supports('close')) {
      commands.panels.find(agent.id, info.sessionId)?.panel.dispose();
      await session.close();
    } else if (session !== undefined) {
      refusing.add(agent);
    }
  }
  for (const agent of refusing) {
    refuse(agent, 'close');
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
