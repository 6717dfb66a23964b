import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withViewProgress } from '../../../commands/session/newSession';
import type { Repository } from '../../../model/places/repository';
import { cleanText } from '../../../model/text/titles';
import { showInformationMessage } from '../../../platform/ui/messages';
import { type Neighborhood, readDifferences, readNeighborhood, type Tree } from '../model/siblings';
import { maxShownFiles } from '../model/worktreeChanges';
import { gitFor, type WorktreeServices, withFiles, withTrouble } from '../worktreeServices';
import { worktreeTarget } from '../worktreeTarget';
import { compareTarget } from './comparing';

/** Opens the page of the sessions of one prompt. */
export type OpenPage = (neighborhood: Neighborhood) => void;

type Choice = vscode.QuickPickItem & { readonly compare?: () => unknown };

/** "Compare Worktree…": with its base, with the others of its prompt, or with another one, as their files are now. */
export function compareWorktree(
  services: WorktreeServices,
  argument: unknown,
  openPage: OpenPage,
): Promise<void> {
  return withTrouble(services, async () => {
    const target = await worktreeTarget(services, argument);
    await (target && compareTree(services, target.place, openPage));
  });
}

/** The same for a worktree that was chosen already. */
export async function compareTree(
  services: WorktreeServices,
  place: Repository,
  openPage: OpenPage,
): Promise<void> {
  const neighborhood = await readNeighborhood(place, services.realPath);
  const picked = await vscode.window.showQuickPick(getChoices(services, neighborhood, openPage), {
    title: l10n.t('Compare Worktree'),
    placeHolder: l10n.t('What is “{0}” compared with?', getName(neighborhood)),
    ignoreFocusOut: true,
  });
  await picked?.compare?.();
}

/** The button in a session's header that compares it with the others of its prompt. */
export function compareSessions(services: WorktreeServices, openPage: OpenPage): Promise<void> {
  return withTrouble(services, async () => {
    const target = await worktreeTarget(services, undefined);
    if (target !== undefined) {
      openPage(await readNeighborhood(target.place, services.realPath));
    }
  });
}

function getChoices(
  services: WorktreeServices,
  neighborhood: Neighborhood,
  openPage: OpenPage,
): readonly Choice[] {
  const { place, others } = neighborhood;
  const siblings = others.filter(({ isSibling }) => isSibling).length;
  const base: Choice = {
    label: l10n.t('$(git-commit) Its Base'),
    detail: l10n.t('Everything that has changed since its branch began'),
    compare: () => withFiles(services, (files) => compareTarget(services, files, place)),
  };
  const page: Choice = {
    label: l10n.t('$(git-compare) The Sessions of Its Prompt'),
    detail: l10n.t('Side by side on one page: {0}', siblings + 1),
    compare: () => openPage(neighborhood),
  };
  const separator: Choice = {
    label: l10n.t('Other worktrees'),
    kind: vscode.QuickPickItemKind.Separator,
  };
  const trees = others.map(
    (other): Choice => ({
      label: getName(other),
      description: cleanText(other.place.top, 300),
      ...(other.isSibling && { detail: l10n.t('of the same prompt') }),
      compare: () => compareTwo(neighborhood, other),
    }),
  );
  return [
    base,
    ...(siblings > 0 ? [page] : []),
    ...(trees.length > 0 ? [separator, ...trees] : []),
  ];
}

async function compareTwo(one: Tree, other: Tree): Promise<void> {
  const git = gitFor(new AbortController().signal);
  const differences = await withViewProgress(() => readDifferences(git, one.place, other.place));
  const shown = differences.filter((it) => it.one.kind !== 'left' && it.other.kind !== 'left');
  if (shown.length === 0) {
    void showInformationMessage(l10n.t('The files of both worktrees are the same.'));
    return;
  }
  const uriIn = ({ top }: Repository, name: string): vscode.Uri =>
    vscode.Uri.file(path.join(top, ...name.split('/')));
  const resources = shown.slice(0, maxShownFiles).map(({ name, ...sides }) => {
    const [left, right] = [uriIn(one.place, name), uriIn(other.place, name)];
    return [
      right,
      sides.one.kind === 'file' ? left : undefined,
      sides.other.kind === 'file' ? right : undefined,
    ];
  });
  const title = `${getName(one)} ↔ ${getName(other)}`;
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

function getName({ branch, place }: Tree): string {
  return cleanText(branch ?? path.basename(place.top), 100);
}
