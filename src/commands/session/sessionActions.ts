import * as l10n from '@vscode/l10n';
import { sessionName, sessionTitle } from '../../model/agents/whose';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import { openChanges } from '../../views/transcript/text/openChanges';
import { canDo, refuse } from '../agents/abilities';
import { mayEnd } from './endWork';
import { askForSession, showNew, withViewProgress } from './newSession';
import type { SessionCommands } from './sessionCommands';
import { openSessionOf, targetOf, targetsOf } from './target';

/** "Resume without History" (RES-1): continues a session without loading its history. */
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
    const session = await askForSession(commands, agent, (signal) =>
      commands.sessions.fork(agent, info, signal),
    );
    await showNew(commands, session);
  }
}

/**
 * Closing isn't deleting: the row stays (CLOSE-6). Closes the tab and the session, busy or not, if its agent
 * supports that.
 */
export async function closeSession(
  commands: SessionCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const targets = targetsOf(commands, argument, selection).filter(
    (target) => openSessionOf(commands, target) !== undefined,
  );
  const closable = targets.filter(({ agent }) => agent.supports('close'));
  const open = closable.flatMap((target) => openSessionOf(commands, target) ?? []);
  const [first] = open.filter(({ isBusy }) => isBusy);
  const question =
    open.length === 1 && first !== undefined
      ? l10n.t('{0} is still working. Stop it?', sessionName(first))
      : l10n.t('Some of these sessions are still working. Stop them?');
  if (await mayEnd(open, question, l10n.t('Stop and Close'), sessionTitle)) {
    await Promise.all(
      closable.map(({ agent, info }) => commands.panels.close(agent.id, info.sessionId)),
    );
    await Promise.all(open.map((session) => session.close()));
  }
  const refusing = new Set(
    targets.map(({ agent }) => agent).filter((agent) => !agent.supports('close')),
  );
  for (const agent of refusing) {
    refuse(agent, 'close');
  }
}

/**
 * Cancels the running turn (CA-1); if the agent doesn't react, the next call ends the turn here
 * (CA-11).
 */
export function stopTurn(commands: SessionCommands, argument: unknown): void {
  const target = targetOf(commands, argument);
  if (target !== undefined) {
    const session = openSessionOf(commands, target);
    if (session?.turn.kind === 'running' && session.turn.canForce) {
      session.forceFinish();
    } else {
      session?.cancelTurn();
    }
  }
}

/** Revokes what the user has allowed for as long as the session is open. */
export function askAgain(commands: SessionCommands, argument: unknown): void {
  const target = targetOf(commands, argument);
  const session = target && openSessionOf(commands, target);
  if (session !== undefined) {
    session.acts.askAgain();
    void showInformationMessage(
      l10n.t(
        'You will be asked again before {0} changes files, runs commands, or uses other folders in “{1}”.',
        cleanText(session.agent.title, 60),
        cleanText(session.title, 60),
      ),
    );
  }
}

/** Opens all changes of a session in one editor. */
export async function openSessionChanges(
  commands: SessionCommands,
  argument: unknown,
): Promise<void> {
  const target = targetOf(commands, argument);
  const session = target && openSessionOf(commands, target);
  const review = target && commands.reviews.of(target.agent.id, target.info.sessionId);
  if (review !== undefined && review.pending.length > 0) {
    await commands.reviews.actions?.show(review);
  } else if (session !== undefined) {
    const context = { cwd: session.info.cwd, roots: session.roots };
    await openChanges(commands.documents, session, context);
  }
}
