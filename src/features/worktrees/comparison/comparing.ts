import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withViewProgress } from '../../../commands/session/newSession';
import type { Repository } from '../../../model/places/repository';
import { cleanText } from '../../../model/text/titles';
import { showInformationMessage } from '../../../platform/ui/messages';
import { mapAtOnce } from '../../../util/async';
import type { ReviewFiles } from '../../review/model/reviewFiles';
import { getBase } from '../model/base';
import {
  inBase,
  inWorktree,
  maxShownFiles,
  readChanges,
  type WorktreeChange,
} from '../model/worktreeChanges';
import { gitFor, type WorktreeServices } from '../worktreeServices';

const filesAtOnce = 4;

/** Shows everything that has changed in a worktree since its branch began, committed or not. */
export async function compareTarget(
  services: WorktreeServices,
  files: ReviewFiles,
  place: Repository,
): Promise<void> {
  const git = gitFor(new AbortController().signal);
  const { shown, all, left } = await withViewProgress(async () => {
    const base = await getBase(git, place);
    const found = await readChanges(git, place, base);
    const first = found.changes.slice(0, maxShownFiles);
    const sides = await mapAtOnce(first, filesAtOnce, async (change) => ({
      change,
      before: await inBase(git, place, change),
      now: await inWorktree(place, change.name),
    }));
    return { shown: sides, all: found.changes.length, left: found.left };
  });
  const resources: (vscode.Uri | undefined)[][] = [];
  const unshown: string[] = left.map(({ name }) => name);
  for (const { change, before, now } of shown) {
    const uri = getFile(place.top, change);
    const text = before.kind === 'file' ? await files.decode(uri.fsPath, before.bytes) : undefined;
    if (
      before.kind === 'left' ||
      now.kind === 'left' ||
      (before.kind === 'file' && text === undefined)
    ) {
      unshown.push(change.name);
    } else {
      const old = text === undefined ? undefined : services.documents.addState(uri, text);
      resources.push([uri, old, now.kind === 'absent' ? undefined : uri]);
    }
  }
  if (unshown.length > 0 || resources.length === 0) {
    void showInformationMessage(sayUnshown(unshown));
  }
  if (resources.length > 0) {
    const name = cleanText(path.basename(place.top), 80);
    const title =
      resources.length < all
        ? l10n.t('{0} since its base ({1} of {2} files)', name, resources.length, all)
        : l10n.t('{0} since its base', name);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }
}

function getFile(top: string, { name }: WorktreeChange): vscode.Uri {
  return vscode.Uri.file(path.join(top, ...name.split('/')));
}

function sayUnshown(names: readonly string[]): string {
  const list = names
    .slice(0, 5)
    .map((name) => cleanText(name, 100))
    .join(', ');
  return names.length === 0
    ? l10n.t('Nothing has changed in this worktree since its branch began.')
    : l10n.t(
        'Changed, but not shown because they aren’t text files: {0} ({1}).',
        list,
        names.length,
      );
}
