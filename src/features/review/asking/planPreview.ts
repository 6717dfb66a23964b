import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listFirst } from '../../../model/text/listFirst';
import { cleanText } from '../../../model/text/titles';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import { hasTrash } from '../../../platform/files/trash';
import { literalLine } from '../../../shared/literal';
import type { PreviewedFile } from '../../../views/previews/previews';
import { filePath } from '../editors/pendingChanges';
import type { LeftAlone, PlannedFile, RestorePlan, Reviews } from '../model/review';

/** Maximum number of files in the preview, of those that its text lists, and of those that a message names. */
const maxShownFiles = 200;
const maxListedFiles = 1_000;
const maxNamedFiles = 5;

type Plan = Pick<RestorePlan, 'files' | 'leftAlone'>;

/** What the files would become, for the preview. */
export function previewedFiles(
  documents: ReadOnlyDocuments,
  files: readonly PlannedFile[],
): readonly PreviewedFile[] {
  return getShownFiles(files).map(({ file, movedFrom, kind, text }) => {
    const uri = vscode.Uri.file(file);
    const now = vscode.Uri.file(movedFrom ?? file);
    const after = typeof text === 'string' ? documents.addState(uri, text) : undefined;
    return [uri, kind === 'added' ? undefined : now, after];
  });
}

function getShownFiles(files: readonly PlannedFile[]): readonly PlannedFile[] {
  return files.filter(({ text }) => text !== undefined).slice(0, maxShownFiles);
}

/** Notes for the text of the preview: each file with what would become of it, and what stays. */
export function getNotes({ files, leftAlone }: Plan, used: string): readonly string[] {
  const shown = new Set(getShownFiles(files));
  const changed = files.map((file) => {
    const facts = [
      kindTexts[file.kind],
      ...(file.kind === 'deleted' && !hasTrash()
        ? [l10n.t('for good: there is no trash here')]
        : []),
      ...(file.isMerged ? [l10n.t('your own later changes are merged in')] : []),
      ...(file.text === undefined
        ? [l10n.t('not below, because it isn’t text')]
        : shown.has(file)
          ? []
          : [l10n.t('not below, because there are too many files')]),
    ];
    return `${filePath(file.file)}: ${facts.join(', ')}`;
  });
  const left = leftAlone.map(
    ({ file, reason }) => `${filePath(file)}: ${l10n.t('Stays: {0}', reasons[reason])}`,
  );
  return [...(used === '' ? [] : [used, '']), ...listFirst([...changed, ...left], maxListedFiles)];
}

/** The files that the preview names as deleted or moved. */
export function deletedFiles({ files }: Plan): readonly string[] {
  return files.flatMap(({ kind, file, movedFrom }) =>
    kind === 'deleted' ? [file] : movedFrom === undefined ? [] : [movedFrom],
  );
}

/** A sentence about the files that running turns are working on; empty if there are none. */
export async function usedText(
  reviews: Pick<Reviews, 'inUse'>,
  files: readonly { readonly file: string }[],
): Promise<string> {
  const used = await reviews.inUse(files.map(({ file }) => file));
  const all = files.filter(({ file }) => used.has(file));
  return all.length === 0 ? '' : l10n.t('Running turns are working on: {0}.', formatList(all));
}

const kindTexts: Readonly<Record<PlannedFile['kind'], string>> = {
  modified: l10n.t('Modified'),
  added: l10n.t('Added'),
  deleted: l10n.t('Deleted'),
  moved: l10n.t('Moved'),
};

/** The text, and what was left alone. */
export function sentences(text: string, leftAlone: readonly LeftAlone[]): string {
  return leftAlone.length === 0
    ? text
    : `${text} ${l10n.t('Left as they are: {0}.', formatList(leftAlone))}`;
}

/** The names of files, the first ones of many. */
export function formatList(
  files: readonly { readonly file: string; readonly reason?: LeftAlone['reason'] }[],
): string {
  const named = files.map(({ file, reason }) => {
    const name = cleanText(literalLine(path.basename(file)), 60);
    return reason === undefined ? name : `${name} (${reasons[reason]})`;
  });
  return listFirst(named, maxNamedFiles).join(', ');
}

const reasons: Readonly<Record<LeftAlone['reason'], string>> = {
  changedSince: l10n.t('changed in the meantime'),
  mixed: l10n.t('you changed the same lines'),
  overlaid: l10n.t('a later turn changed the same lines'),
  unkept: l10n.t('its content wasn’t recorded'),
  outside: l10n.t('outside of the session’s folders'),
  readOnly: l10n.t('read-only'),
  dirty: l10n.t('has unsaved changes'),
  noTrash: l10n.t('couldn’t go to the trash'),
  declined: l10n.t('as you chose'),
  failed: l10n.t('couldn’t be written'),
};
