import { lstat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { askForSession } from '../../commands/session/newSession';
import type { Agent } from '../../model/agent';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import { withCancel } from '../../platform/ui/withCancel';
import { type Draft, isEmptyDraft } from '../../shared/transcript/prompt';
import { bringIgnoredFiles } from './bringing';
import { movedDraft } from './model/movedDraft';
import { addWorktree } from './model/newWorktree';
import type { Plan } from './planning';
import { prepare } from './preparing';
import { gitFor, type WorktreeServices } from './worktreeServices';

/** A session in a new worktree. */
interface Begun {
  readonly session: Session;
  /** The draft, with the worktree's own files. */
  readonly draft: Draft | undefined;
}

/** Makes the worktree, prepares it, and begins the session; `undefined`: the user has canceled after the first. */
export async function beginSession(
  services: WorktreeServices,
  agent: Agent,
  { facts, worktree, script }: Plan,
  draft: Draft | undefined,
): Promise<Begun | undefined> {
  const name = cleanText(worktree.branch, 100);
  const folder = await withCancel(l10n.t('New worktree “{0}”', name), async (signal, report) => {
    report(l10n.t('checking out…'));
    const made = await addWorktree(gitFor(signal), facts, worktree);
    await bringIgnoredFiles(services, facts.top, worktree.folder, { signal, report });
    if (script !== undefined && !signal.aborted) {
      report(l10n.t('preparing…'));
      await prepare(script, made, facts.top, signal);
    }
    return signal.aborted ? undefined : made;
  });
  await services.worktrees.refresh();
  if (folder === undefined) {
    void showInformationMessage(
      l10n.t('The worktree is there, but no session was begun: {0}', worktree.folder),
    );
    return undefined;
  }
  await sayOfSubmodules(worktree.folder);
  const place = { name: path.basename(worktree.folder), path: folder };
  const session = await askForSession(services, agent, (signal) =>
    services.sessions.create(agent, place, signal),
  );
  return { session, draft: draft && (await movedDraft(draft, facts.top, worktree.folder)) };
}

/** Checking them out may need the network, which nobody has asked for. */
async function sayOfSubmodules(folder: string): Promise<void> {
  const modules = await lstat(path.join(folder, '.gitmodules')).catch(() => undefined);
  if (modules?.isFile() === true) {
    void showInformationMessage(
      l10n.t(
        'The submodules of the new worktree aren’t checked out. “git submodule update --init” does that, also in the setting “acpSessions.newWorktree.script”.',
      ),
    );
  }
}

/** What the active session's composer holds. */
export async function activeDraft({ panels, work }: WorktreeServices): Promise<Draft | undefined> {
  const session = panels.active?.session;
  if (session === undefined) {
    return undefined;
  }
  await work.read();
  const { draft } = work.getDraft(session.agent.id, session.info.sessionId);
  return isEmptyDraft(draft) ? undefined : draft;
}
