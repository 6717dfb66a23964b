import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { cleanText } from '../../../model/text/titles';
import { showInformationMessage } from '../../../platform/ui/messages';
import { withCancel } from '../../../platform/ui/withCancel';
import { type Draft, isEmptyDraft } from '../../../shared/transcript/prompt';
import type { MadePlace } from '../../../views/transcript/tabs/newPlaces';
import { movedDraft } from '../model/movedDraft';
import { addWorktree } from '../model/newWorktree';
import { WorktreeTrouble } from '../model/trouble';
import { gitFor, type WorktreeServices } from '../worktreeServices';
import { bringIgnoredFiles } from './bringing';
import type { Plan } from './planning';
import { prepare } from './preparing';

/**
 * Makes the worktree and prepares it. Rejects with `WorktreeTrouble`, with nothing left behind unless it says so; also
 * when `signal` aborts, or the user cancels in the message that shows the progress.
 */
export async function makeWorktree(
  services: WorktreeServices,
  { facts, worktree, script }: Plan,
  signal: AbortSignal,
): Promise<MadePlace> {
  const name = cleanText(worktree.branch, 100);
  const path = await withCancel(l10n.t('New worktree “{0}”', name), async (own, report) => {
    const either = AbortSignal.any([own, signal]);
    const isForeign = worktree.base?.fetched !== undefined;
    report(isForeign ? l10n.t('fetching and checking out…') : l10n.t('checking out…'));
    const made = await addWorktree(gitFor(either), facts, worktree);
    // Whoever has written a pull request isn't to get at what only the user has.
    if (!isForeign) {
      const bringing = { signal: either, report };
      await bringIgnoredFiles(services, facts.top, worktree.folder, bringing);
    }
    if (script !== undefined && !either.aborted) {
      report(l10n.t('preparing…'));
      await prepare(script, made, facts.top, either);
    }
    return either.aborted ? undefined : made;
  });
  await services.worktrees.refresh();
  if (path === undefined) {
    throw new WorktreeTrouble('notBegun', worktree.folder);
  }
  await sayOfSubmodules(worktree.folder);
  return {
    folder: { name: basename(worktree.folder), path },
    moved: (draft) => movedDraft(draft, facts.top, worktree.folder),
  };
}

/** Checking them out may need the network, which nobody has asked for. */
async function sayOfSubmodules(folder: string): Promise<void> {
  const modules = await lstat(join(folder, '.gitmodules')).catch(() => undefined);
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
