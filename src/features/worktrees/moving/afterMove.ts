import * as l10n from '@vscode/l10n';
import type { CommandTarget } from '../../../commands/session/sessionTarget';
import { findRepository, type Repository } from '../../../model/places/repository';
import { fileCount } from '../../../model/text/fileCount';
import { cleanText } from '../../../model/text/titles';
import { showInformationMessage, showWarningMessage } from '../../../platform/ui/messages';
import { getRef } from '../../../shared/sessionRef';
import { leftText } from '../applying/leftTexts';
import { bringBack, type MovedFile } from '../model/movedChanges';
import type { NewWorktree } from '../model/newWorktree';
import { isLossy, readLosses, removeWorktree } from '../model/removeWorktree';
import type { LeftChange } from '../model/worktreeChanges';
import { gitFor, type WorktreeServices, withFiles, withTrouble } from '../worktreeServices';
import { sessionsIn } from '../worktreeTarget';

/** What was moved, and to where. */
export interface Moved {
  readonly place: Repository;
  readonly worktree: NewWorktree;
  /** The counterpart of the session's folder there. */
  readonly folder: string;
  readonly moved: readonly MovedFile[];
  /** What is in the worktree, but wasn't taken back here. */
  readonly left: readonly LeftChange[];
}

/** Says what was moved, and offers to continue the session there, or to undo it. */
export async function tellMoved(
  services: WorktreeServices,
  target: CommandTarget,
  done: Moved,
): Promise<void> {
  const { moved, left, worktree, folder } = done;
  const continueThere = l10n.t('Continue There');
  const undo = l10n.t('Undo');
  const name = cleanText(worktree.branch, 100);
  const text = l10n.t('Moved {0} to the worktree “{1}”.', fileCount(moved.length), name);
  const stays =
    left.length > 0
      ? ` ${l10n.t('Not everything could be taken back here.')}${leftText(left)}`
      : '';
  const branches = services.branches.current;
  const say = left.length > 0 ? showWarningMessage : showInformationMessage;
  const answers = [...(branches === undefined ? [] : [continueThere]), undo];
  const answer = await say(`${text}${stays}`, ...answers);
  if (answer === continueThere) {
    await branches?.continueIn(getRef(target), folder);
  } else if (answer === undo) {
    await withTrouble(services, () => undoMove(services, done));
  }
}

/** Brings the changes back, and removes the worktree unless anything else is in it by now. */
async function undoMove(services: WorktreeServices, done: Moved): Promise<void> {
  const { place, worktree, moved, left } = done;
  const stayed = new Set(left.map(({ name }) => name));
  const taken = moved.filter(({ name }) => !stayed.has(name));
  const failed = await withFiles(services, (files) => bringBack(taken, files));
  const isRemoved = failed.length === 0 && (await removeIfSpare(services, place, worktree));
  const text =
    failed.length > 0
      ? l10n.t('Not all changes could be brought back. They are in the worktree.')
      : isRemoved
        ? l10n.t('The changes are back, and the worktree is removed.')
        : l10n.t(
            'The changes are back. The worktree stays, because it has something else, or a session works in it.',
          );
  const say = failed.length > 0 ? showWarningMessage : showInformationMessage;
  void say(text + leftText(failed));
}

async function removeIfSpare(
  services: WorktreeServices,
  { top }: Repository,
  { folder, branch }: NewWorktree,
): Promise<boolean> {
  const git = gitFor(new AbortController().signal);
  const tree = await findRepository(folder, services.realPath);
  if (tree === undefined || (await sessionsIn(services, tree.top)).length > 0) {
    return false;
  }
  const elsewhere = [top];
  const losses = await readLosses(git, tree, elsewhere);
  // Another branch may be checked out there by now, which isn't ours to delete.
  if (losses.branch !== branch || isLossy(losses, true)) {
    return false;
  }
  await removeWorktree(git, tree, losses, { withBranch: true, elsewhere });
  await services.worktrees.refresh();
  return true;
}
