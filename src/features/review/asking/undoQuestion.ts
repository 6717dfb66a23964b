import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PendingFile } from '../../../model/changes/reviews';
import { listFirst } from '../../../model/text/listFirst';
import { hasTrash } from '../../../platform/files/trash';
import { showWarningMessage } from '../../../platform/ui/messages';
import { fileName, filePath, type Naming } from '../editors/pendingChanges';
import { besideNames } from '../editors/uncertainChanges';
import type { LeftAlone, Reviews, SessionReview } from '../model/review';

/** Files that a message names. */
const maxNamedFiles = 8;

/** A file that would be changed. */
export interface UndoneFile {
  readonly review: SessionReview;
  readonly pending: Pick<PendingFile, 'file' | 'kind' | 'added' | 'removed'> & Partial<PendingFile>;
}

export interface UndoQuestion {
  readonly text: string;
  readonly files: readonly UndoneFile[];
  /** What else has to be known. */
  readonly notes?: readonly string[];
}

/**
 * Asks before files are changed. The message names the first of them, what happens to them, and which of them running
 * turns are working on; of many, all can be looked at in a list and left out. Returns those that may be undone.
 */
export async function askToUndo(
  { text, files, notes = [] }: UndoQuestion,
  reviews: Pick<Reviews, 'inUse'>,
  naming: Naming,
): Promise<readonly UndoneFile[] | undefined> {
  const inUse = await reviews.inUse(files.map(({ pending }) => pending.file));
  const users = ({ review, pending }: UndoneFile): string =>
    besideNames(review, inUse.get(pending.file) ?? [], naming);
  const used = files.filter((file) => users(file) !== '');
  const detail = [
    ...notes,
    listSome(files.map(({ pending }) => filePath(pending.file))),
    whatHappens(files),
    ...whatStays(files),
    ...(used.length === 0
      ? []
      : [
          [
            l10n.t('Running turns are working on these:'),
            listSome(used.map((file) => `${filePath(file.pending.file)} (${users(file)})`)),
          ].join('\n'),
        ]),
  ].join('\n\n');
  const undo = l10n.t('Undo All');
  const choose = l10n.t('Show All Files…');
  const choices = files.length > maxNamedFiles ? [undo, choose] : [undo];
  const answer = await showWarningMessage(text, { modal: true, detail }, ...choices);
  return answer === undo
    ? files
    : answer === choose
      ? askWhichFiles(text, files, users)
      : undefined;
}

/** All files, each with what happens to it; without those that the user takes out. */
async function askWhichFiles(
  title: string,
  files: readonly UndoneFile[],
  users: (file: UndoneFile) => string,
): Promise<readonly UndoneFile[] | undefined> {
  const items = files.map((file) => {
    const by = users(file);
    const stays = reasonToStay(file.pending);
    const facts = [
      stays === undefined ? whatHappensTo(file) : l10n.t('Stays: {0}', stays),
      ...(by === '' ? [] : [l10n.t('A running turn is working on it ({0}).', by)]),
    ];
    return {
      label: fileName(file.pending.file),
      description: filePath(file.pending.file),
      detail: facts.join(' '),
      picked: true,
      file,
    };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('The changes of the files that are checked are undone'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return chosen === undefined || chosen.length === 0 ? undefined : chosen.map(({ file }) => file);
}

function whatHappensTo({ pending: { kind, added, removed } }: UndoneFile): string {
  switch (kind) {
    case 'added':
      return hasTrash()
        ? l10n.t('New: it goes to the trash.')
        : l10n.t('New: it is deleted for good.');
    case 'deleted':
      return l10n.t('It comes back.');
    case 'moved':
      return l10n.t('It goes back to where it was.');
    case 'modified':
      return l10n.t('Lines: +{0} −{1}.', added, removed);
  }
}

function whatHappens(files: readonly UndoneFile[]): string {
  const added = files.reduce((sum, { pending }) => sum + pending.added, 0);
  const removed = files.reduce((sum, { pending }) => sum + pending.removed, 0);
  const kinds = new Set(files.map(({ pending: { kind } }) => kind));
  return [
    l10n.t('Lines: +{0} −{1}.', added, removed),
    ...(kinds.has('added')
      ? [
          hasTrash()
            ? l10n.t('New files go to the trash.')
            : l10n.t('New files are deleted for good: there is no trash here.'),
        ]
      : []),
    ...(kinds.has('deleted') ? [l10n.t('Deleted files come back.')] : []),
    ...(kinds.has('moved') ? [l10n.t('Moved files go back to where they were.')] : []),
    ...(kinds.has('modified')
      ? [l10n.t('Ctrl+Z in an editor brings the changes of its file back.')]
      : []),
  ].join(' ');
}

function whatStays(files: readonly UndoneFile[]): readonly string[] {
  const stays = files.flatMap(({ pending }) => {
    const reason = reasonToStay(pending);
    return reason === undefined ? [] : [`${fileName(pending.file)}: ${reason}`];
  });
  return stays.length === 0
    ? []
    : [[l10n.t('These stay as they are:'), listSome(stays)].join('\n')];
}

/** The first ones of many lines. */
function listSome(lines: readonly string[]): string {
  return listFirst(lines, maxNamedFiles).join('\n');
}

/** Why a decision about many leaves a file as it is, if that is known already. */
function reasonToStay({ isOutside, form, isMixed }: Partial<PendingFile>): string | undefined {
  if (isOutside === true) {
    return reasonText({ reason: 'outside' });
  }
  if (form === 'unkept') {
    return reasonText({ reason: 'unkept' });
  }
  return isMixed === true ? reasonText({ reason: 'mixed' }) : undefined;
}

/** Ends with what the user can do. */
export function reasonText({ reason, detail }: Pick<LeftAlone, 'reason' | 'detail'>): string {
  switch (reason) {
    case 'changedSince':
      return l10n.t('it has changed in the meantime. Compare both texts and edit the file.');
    case 'mixed':
      return l10n.t('you have edited the same lines. Decide which text to keep.');
    case 'overlaid':
      return l10n.t('a later turn has changed the same lines. Undo that turn first.');
    case 'unkept':
      return l10n.t('its earlier content wasn’t recorded, so it can’t come back.');
    case 'outside':
      return l10n.t('it is outside of the session’s folders.');
    case 'readOnly':
      return l10n.t('it is read-only. Allow writing to it and try again.');
    case 'dirty':
      return l10n.t('it has unsaved changes. Save or revert them and try again.');
    case 'noTrash':
      return detail === undefined
        ? l10n.t('it can’t go to a trash, and you weren’t asked whether to delete it for good.')
        : l10n.t(
            'it couldn’t go to the trash ({0}). Delete it in the Explorer, which asks you first.',
            detail,
          );
    case 'declined':
      return l10n.t('you have chosen to leave it.');
    case 'failed':
      return l10n.t('it couldn’t be written ({0}).', detail ?? '?');
  }
}
