import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withViewProgress } from '../../commands/session/newSession';
import { findRepository, type Repository } from '../../model/places/repository';
import { readOwnBranch } from '../../model/places/worktrees';
import { cleanText } from '../../model/text/titles';
import { showInformationMessage } from '../../platform/ui/messages';
import { maxShownFiles } from './comparing';
import { otherWorktrees, readDifferences } from './model/siblings';
import { gitFor, type WorktreeServices, withTrouble } from './worktreeServices';
import { worktreeTarget } from './worktreeTarget';

/** "Compare with Another Worktree…": side by side, as their files are now. */
export function compareWithAnother(services: WorktreeServices, argument: unknown): Promise<void> {
  return withTrouble(services, async () => {
    const target = await worktreeTarget(services, argument);
    if (target === undefined) {
      return;
    }
    const { place } = target;
    const branch = await readOwnBranch(place);
    const other = await pickOther(services, place, branch);
    const otherPlace = other && (await findRepository(other.path, services.realPath));
    if (other !== undefined && otherPlace !== undefined) {
      await show(
        place,
        otherPlace,
        `${getName(branch, place.top)} ↔ ${getName(other.branch, other.path)}`,
      );
    }
  });
}

async function pickOther(
  { realPath }: WorktreeServices,
  place: Repository,
  branch: string | undefined,
) {
  const others = await otherWorktrees(place, branch, realPath);
  if (others.length === 0) {
    void showInformationMessage(l10n.t('This repository has no other worktree to compare with.'));
    return undefined;
  }
  const items = others.map((tree) => ({
    label: getName(tree.branch, tree.path),
    description: cleanText(tree.path, 300),
    ...(tree.isSibling && { detail: l10n.t('of the same prompt') }),
    tree,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Compare with Another Worktree'),
    placeHolder: l10n.t('Which one is compared with “{0}”?', getName(branch, place.top)),
    ignoreFocusOut: true,
  });
  return picked?.tree;
}

async function show(one: Repository, other: Repository, title: string): Promise<void> {
  const git = gitFor(new AbortController().signal);
  const differences = await withViewProgress(() => readDifferences(git, one, other));
  const shown = differences.filter((it) => it.one.kind !== 'left' && it.other.kind !== 'left');
  if (shown.length === 0) {
    void showInformationMessage(l10n.t('The files of both worktrees are the same.'));
    return;
  }
  const resources = shown.slice(0, maxShownFiles).map(({ name, ...sides }) => {
    const [left, right] = [one, other].map(({ top }) =>
      vscode.Uri.file(path.join(top, ...name.split('/'))),
    );
    return [
      right,
      sides.one.kind === 'file' ? left : undefined,
      sides.other.kind === 'file' ? right : undefined,
    ];
  });
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

function getName(branch: string | undefined, top: string): string {
  return cleanText(branch ?? path.basename(top), 100);
}
