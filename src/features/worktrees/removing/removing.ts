import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { mayEnd } from '../../../commands/agents/endWork';
import { withViewProgress } from '../../../commands/session/newSession';
import { sessionTitle } from '../../../model/agents/whose';
import { isInside } from '../../../model/files/roots';
import type { Repository } from '../../../model/places/repository';
import { fileCount } from '../../../model/text/fileCount';
import { cleanText } from '../../../model/text/titles';
import { plainMessage, showInformationMessage } from '../../../platform/ui/messages';
import { literalLine } from '../../../shared/literal';
import {
  isLossy,
  type Losses,
  readLosses,
  removeWorktree,
  type UncommittedFile,
} from '../model/removeWorktree';
import { WorktreeTrouble } from '../model/trouble';
import { gitFor, type WorktreeServices, withTrouble } from '../worktreeServices';
import { sessionsIn, workspaceTops, worktreeTarget } from '../worktreeTarget';

/** Files that a sentence names; the list above it has all. */
const maxNamedFiles = 3;
/** Rows of each part of that list. */
const maxListedRows = 5_000;

/**
 * "Remove Worktree…": lists what it has that is nowhere else, and asks for its name if that would be lost. Its sessions
 * are closed first. The branch stays unless the user chooses otherwise.
 */
export function removeChosenWorktree(services: WorktreeServices, argument: unknown): Promise<void> {
  return withTrouble(services, async () => {
    const target = await worktreeTarget(services, argument);
    if (target !== undefined) {
      await remove(services, target.place);
    }
  });
}

/** Asks, and removes one worktree. */
export async function remove(services: WorktreeServices, place: Repository): Promise<void> {
  const losses = await withViewProgress(() => readShownLosses(services, place));
  if (losses.locked !== undefined) {
    throw new WorktreeTrouble('lockedWorktree', losses.locked || place.top);
  }
  const name = losses.branch ?? path.basename(place.top);
  const withBranch = await choose(place, name, losses);
  if (withBranch === undefined || !(await confirmed(name, losses, withBranch))) {
    return;
  }
  const sessions = await sessionsIn(services, place.top);
  const question = l10n.t('Sessions are still working in this worktree. Stop them?');
  if (!(await mayEnd(sessions, question, l10n.t('Stop and Remove'), sessionTitle))) {
    return;
  }
  await withViewProgress(() => removeNow(services, place, losses, withBranch));
  void showInformationMessage(
    withBranch || losses.branch === undefined
      ? l10n.t('Removed the worktree “{0}”.', cleanText(name, 100))
      : l10n.t('Removed the worktree. Its branch “{0}” is still there.', cleanText(name, 100)),
  );
}

/** What would be lost, also in editors. Rejects with `WorktreeTrouble`. */
export async function readShownLosses(
  services: WorktreeServices,
  place: Repository,
  signal = new AbortController().signal,
): Promise<Losses> {
  const elsewhere = await workspaceTops(services, place);
  const found = await readLosses(gitFor(signal), place, elsewhere);
  return { ...found, uncommitted: withUnsaved(found.uncommitted, place.top) };
}

/**
 * Closes the worktree's sessions and removes it, if it still is as the user was told. Not to be canceled: half a
 * worktree would be left. Rejects with `WorktreeTrouble`.
 */
export async function removeNow(
  services: WorktreeServices,
  place: Repository,
  losses: Losses,
  withBranch: boolean,
): Promise<void> {
  const told = new Set(losses.uncommitted.map(({ name: file }) => file));
  if (!unsavedIn(place.top).every((file) => told.has(file))) {
    throw new WorktreeTrouble('changedMeanwhile', place.top);
  }
  const sessions = await sessionsIn(services, place.top);
  await Promise.all(
    sessions.map(({ agent, info }) => services.panels.close(agent.id, info.sessionId)),
  );
  await Promise.all(sessions.map((session) => session.close()));
  const elsewhere = await workspaceTops(services, place);
  try {
    const git = gitFor(new AbortController().signal);
    await removeWorktree(git, place, losses, { withBranch, elsewhere });
  } finally {
    await services.worktrees.refresh();
  }
}

/** Adds the files that have unsaved text in an editor, which is nowhere else. */
function withUnsaved(uncommitted: Losses['uncommitted'], top: string): Losses['uncommitted'] {
  const unsaved = unsavedIn(top);
  const saved = uncommitted.filter(({ name }) => !unsaved.includes(name));
  return [...saved, ...unsaved.map((name) => ({ name, kind: 'modified' as const, isLost: true }))];
}

/** The files below a folder that have unsaved text in an editor: relative, with `/`. */
export function unsavedIn(top: string): readonly string[] {
  return vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file' && isInside(uri.fsPath, [top]))
    .map(({ uri }) => path.relative(top, uri.fsPath).split(path.sep).join('/'));
}

type Choice = vscode.QuickPickItem &
  ({ readonly withBranch: boolean } | { readonly file?: string });

/** Whether the branch goes, too. What is lost is listed below the choices, and can be looked at. */
async function choose(
  { top }: Repository,
  name: string,
  losses: Losses,
): Promise<boolean | undefined> {
  const worktree = { label: l10n.t('Remove the Worktree'), detail: getDetail(losses, false) };
  const both = {
    label: l10n.t('Remove the Worktree and Its Branch'),
    detail: getDetail(losses, true),
  };
  const items: readonly Choice[] = [
    { ...worktree, withBranch: false },
    ...(losses.branch === undefined ? [] : [{ ...both, withBranch: true }]),
    ...listed(losses, top),
  ];
  const closed = l10n.t('Its sessions in this window are closed first.');
  const opens = l10n.t('A file of the list opens if you choose it.');
  for (;;) {
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Remove Worktree “{0}”', cleanText(name, 100)),
      placeHolder: losses.uncommitted.length === 0 ? closed : `${closed} ${opens}`,
      matchOnDescription: true,
      ignoreFocusOut: true,
    });
    if (picked === undefined || 'withBranch' in picked) {
      return picked?.withBranch;
    }
    if (picked.file !== undefined) {
      const uri = vscode.Uri.file(picked.file);
      await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    }
  }
}

/** Lists all that would be gone. */
function listed(losses: Losses, top: string): readonly Choice[] {
  const { uncommitted, ignored, unmerged, unmergedCommits } = losses;
  const getRow = (file: UncommittedFile): Choice => ({
    label: literalLine(path.posix.basename(file.name)),
    description: [literalLine(path.posix.dirname(file.name)), kindText(file)]
      .filter((text) => text !== '.')
      .join(' · '),
    ...(file.kind !== 'deleted' && { file: path.join(top, ...file.name.split('/')) }),
  });
  const commits = unmergedCommits.map(({ id, subject }) => ({
    label: cleanText(subject, 200),
    description: id,
  }));
  const lost = uncommitted.filter(({ isLost }) => isLost);
  const same = uncommitted.filter(({ isLost }) => !isLost);
  return [
    ...part(l10n.t('Not committed, and lost'), lost.map(getRow)),
    ...part(
      losses.branch === undefined
        ? l10n.t('Commits on no branch, which are lost')
        : l10n.t('Commits that no other branch has'),
      commits,
      unmerged,
    ),
    ...part(l10n.t('Not committed, and the same in the workspace'), same.map(getRow)),
    ...part(
      l10n.t('Ignored, and removed, too'),
      ignored.map((file) => ({ label: literalLine(file) })),
    ),
  ];
}

function part(title: string, rows: readonly Choice[], count = rows.length): readonly Choice[] {
  const shown = rows.slice(0, maxListedRows);
  const more = count - shown.length;
  return shown.length === 0
    ? []
    : [
        { label: title, kind: vscode.QuickPickItemKind.Separator },
        ...shown,
        ...(more > 0 ? [{ label: l10n.t('and {0} more', more) }] : []),
      ];
}

function kindText({ kind }: UncommittedFile): string {
  switch (kind) {
    case 'added':
      return l10n.t('new');
    case 'deleted':
      return l10n.t('deleted');
    case 'modified':
      return l10n.t('changed');
  }
}

/** What is lost, in whole sentences. */
export function getDetail(losses: Losses, withBranch: boolean): string {
  const { uncommitted, hasSubmodules } = losses;
  const lost = uncommitted.filter(({ isLost }) => isLost).length;
  const sentences = [
    ...(lost > 0 ? [l10n.t('Not committed, and lost: {0}.', fileCount(lost))] : []),
    ...(hasSubmodules
      ? [l10n.t('Submodules are checked out in it, with what is only there.')]
      : []),
    ...(uncommitted.length === 0 ? [l10n.t('Everything is committed.')] : []),
    ...commitsText(losses, withBranch),
    ...(isLossy(losses, withBranch) || uncommitted.length === 0
      ? []
      : [l10n.t('Nothing is lost.')]),
  ];
  return sentences.join(' ');
}

function commitsText({ branch, unmerged, unpushed }: Losses, withBranch: boolean): string[] {
  if (branch === undefined) {
    return unmerged > 0 ? [l10n.t('Commits on no branch, which are lost: {0}.', unmerged)] : [];
  }
  if (!withBranch) {
    return unpushed > 0
      ? [l10n.t('The branch stays; its commits that are pushed nowhere: {0}.', unpushed)]
      : [];
  }
  if (unmerged > 0) {
    return [l10n.t('Commits that no other branch has are lost: {0}.', unmerged)];
  }
  return unpushed > 0
    ? [l10n.t('Its commits are in another branch here; not pushed anywhere: {0}.', unpushed)]
    : [l10n.t('Its commits are in another branch.')];
}

/** The user types the name of what has something that would be lost. */
async function confirmed(name: string, losses: Losses, withBranch: boolean): Promise<boolean> {
  if (!isLossy(losses, withBranch)) {
    return true;
  }
  const shown = cleanText(name, 200);
  const files = lostFiles(losses);
  const lost =
    files.length > 0
      ? l10n.t('Lost with it: {0}. Type “{1}” to remove it.', getList(files), shown)
      : losses.hasSubmodules
        ? l10n.t('What only its submodules have is lost. Type “{0}” to remove it.', shown)
        : l10n.t('Commits that are nowhere else are lost. Type “{0}” to remove them.', shown);
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Remove Worktree “{0}”', shown),
    prompt: plainMessage(lost),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value === '' || shown.startsWith(value) ? undefined : l10n.t('This isn’t its name.'),
  });
  return typed === shown;
}

/** The files whose changes would be gone. */
export function lostFiles({ uncommitted }: Losses): readonly string[] {
  return uncommitted.flatMap(({ name, isLost }) => (isLost ? [name] : []));
}

/** The first names of files, and how many there are besides. */
export function getList(files: readonly string[]): string {
  const shown = files.slice(0, maxNamedFiles).map((file) => cleanText(file, 100));
  const rest = files.length - shown.length;
  return [...shown, ...(rest > 0 ? [l10n.t('and {0} more', rest)] : [])].join(', ');
}
