import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LeftAlone, PlannedFile, RestorePlan, Reviews } from '../../model/review/review';
import { cleanText } from '../../model/text/titles';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { literalLine } from '../../shared/literal';

/** Maximum number of files in the preview, and of those that a message names. */
const mostShown = 200;
const mostNamed = 5;

type Plan = Pick<RestorePlan, 'files' | 'leftAlone'>;

/** Shows in an editor what the files would become. */
export async function showPreview(
  documents: ReadOnlyDocuments,
  title: string,
  files: readonly PlannedFile[],
): Promise<void> {
  const texts = files.filter(({ text }) => text !== undefined).slice(0, mostShown);
  const resources = texts.map(({ file, movedFrom, kind, text }) => {
    const uri = vscode.Uri.file(file);
    const now = vscode.Uri.file(movedFrom ?? file);
    const after = typeof text === 'string' ? documents.addStateOf(uri, text) : undefined;
    return [uri, kind === 'added' ? undefined : now, after];
  });
  if (resources.length > 0) {
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }
}

/** A choice of a question that has to be asked again afterwards. */
interface Looking extends vscode.QuickPickItem {
  look(): Promise<void>;
}

/** Among the choices of a question about many files: all of them, with what would become of each, in a list. */
export function lookAtAll(title: string, { files, leftAlone }: Plan): readonly Looking[] {
  return files.length <= mostNamed && leftAlone.length <= mostNamed
    ? []
    : [
        {
          label: l10n.t('Show All Files…'),
          look: async () => {
            const items = [
              ...files.map(({ file, kind }) => itemOf(file, kindTexts[kind])),
              ...leftAlone.map(({ file, reason }) =>
                itemOf(file, l10n.t('Stays: {0}', reasons[reason])),
              ),
            ];
            await vscode.window.showQuickPick(items, {
              title,
              matchOnDescription: true,
              matchOnDetail: true,
              ignoreFocusOut: true,
            });
          },
        },
      ];
}

/** Asks until something else than a look at the files is chosen. */
export async function askAgainAfterLooking<T extends vscode.QuickPickItem>(
  choices: readonly (T | Looking)[],
  options: vscode.QuickPickOptions,
): Promise<T | Looking | undefined> {
  for (;;) {
    const answer = await vscode.window.showQuickPick(choices, options);
    if (answer === undefined || !('look' in answer)) {
      return answer;
    }
    await answer.look();
  }
}

/** In a sentence: the files that running turns are working on; empty if there are none. */
export async function usedText(
  reviews: Pick<Reviews, 'inUse'>,
  files: readonly { readonly file: string }[],
): Promise<string> {
  const used = await reviews.inUse(files.map(({ file }) => file));
  const all = files.filter(({ file }) => used.has(file));
  return all.length === 0 ? '' : l10n.t('Running turns are working on: {0}.', listOf(all));
}

function itemOf(file: string, detail: string): vscode.QuickPickItem {
  return {
    label: cleanText(literalLine(path.basename(file)), 80),
    description: cleanText(literalLine(vscode.workspace.asRelativePath(file)), 120),
    detail,
  };
}

const kindTexts: Readonly<Record<PlannedFile['kind'], string>> = {
  modified: l10n.t('Modified'),
  added: l10n.t('Added'),
  deleted: l10n.t('Deleted'),
  moved: l10n.t('Moved'),
};

/** In whole sentences: in which files the user's own changes are merged, and what stays. */
export function detailsOf({ files, leftAlone }: Plan): string {
  const merged = files.filter(({ isMerged }) => isMerged);
  const unshown = files.filter(({ text }) => text === undefined);
  const about = [
    ...(merged.length > 0
      ? [l10n.t('Your own later changes are merged in: {0}.', listOf(merged))]
      : []),
    ...(unshown.length > 0
      ? [l10n.t('Not in the preview, because they aren’t text: {0}.', listOf(unshown))]
      : []),
  ];
  return sentences(about.join(' '), leftAlone).trim();
}

/** The text, and what was left alone. */
export function sentences(text: string, leftAlone: readonly LeftAlone[]): string {
  return leftAlone.length === 0
    ? text
    : `${text} ${l10n.t('Left as they are: {0}.', listOf(leftAlone))}`;
}

/** The names of files, the first ones of many. */
export function listOf(
  files: readonly { readonly file: string; readonly reason?: LeftAlone['reason'] }[],
): string {
  const named = files.slice(0, mostNamed).map(({ file, reason }) => {
    const name = cleanText(literalLine(path.basename(file)), 60);
    return reason === undefined ? name : `${name} (${reasons[reason]})`;
  });
  const more = files.length - named.length;
  return [...named, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join(', ');
}

const reasons: Readonly<Record<LeftAlone['reason'], string>> = {
  changedSince: l10n.t('changed in the meantime'),
  mixed: l10n.t('you changed the same lines'),
  overlaid: l10n.t('a later turn changed the same lines'),
  unkept: l10n.t('its content wasn’t recorded'),
  outside: l10n.t('outside of the session’s folders'),
  readOnly: l10n.t('read-only'),
  dirty: l10n.t('has unsaved changes'),
  declined: l10n.t('as you chose'),
  failed: l10n.t('couldn’t be written'),
};

/** Closes the previews of this title. */
export async function closeTabs(title: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    // VS Code adds the number of files.
    .filter(({ label }) => label.startsWith(title));
  await vscode.window.tabGroups.close(tabs);
}
