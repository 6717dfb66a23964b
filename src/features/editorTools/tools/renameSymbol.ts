import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import type { JsonObject } from '../../../util/json';
import { type EditorTool, ToolRefusal, textArgument } from '../model/tool';
import { change } from './acting';
import { findNamed, type Named, namedProperties } from './findNamed';
import { ask, askOnce, askSettled } from './languageAnswers';
import { changesOf, editsOf, type TextChanges } from './textChanges';

const againMs = 700;
const tries = 10;
const maxName = 200;

export const renameSymbol: EditorTool = {
  name: 'rename_symbol',
  description:
    'Renames a symbol everywhere, as the language server does it. The user sees all changes first. Prefer it to editing each use.',
  properties: { ...namedProperties, newName: { type: 'string', description: 'Its new name.' } },
  required: ['newName'],
  acts: true,
  run: rename,
};

async function rename(
  args: JsonObject,
  session: ServedSession,
  signal: AbortSignal,
): Promise<string> {
  const newName = textArgument(args, 'newName') ?? '';
  if (newName.trim() === '' || newName.length > maxName || /[\r\n]/.test(newName)) {
    throw new ToolRefusal(`"newName" must be one line of at most ${maxName} characters.`);
  }
  const named = await findNamed(args, session);
  const changes = await findChanges(named, newName, signal);
  const files = await editsOf(changes, session);
  const title = l10n.t('Rename “{0}” to “{1}” in {2} files', named.word, newName, files.length);
  return change(title, files, session, signal);
}

/**
 * A language server that is still loading renames only what it knows already, which would break the code: so each of the
 * references must be among the changes.
 */
async function findChanges(
  named: Named,
  newName: string,
  signal: AbortSignal,
): Promise<TextChanges> {
  const { document, position } = named;
  const { items, doubt } = await askSettled(document, signal, () =>
    ask<vscode.Location>('vscode.executeReferenceProvider', document.uri, position),
  );
  const wanted = await withWord(items, named.word);
  for (let left = doubt === '' ? tries : 0; left > 0; left--) {
    const changes = changesOf(await askForRename(named, newName));
    mustFit(changes, named);
    if (changes.length > 0 && wanted.every((place) => isCovered(place, changes))) {
      return changes;
    }
    await pause(againMs, undefined, { signal });
  }
  throw new ToolRefusal(
    'The language server may still be loading: it doesn’t rename all references. Nothing was changed. Ask again in a while.',
  );
}

async function askForRename(
  { document, position }: Named,
  newName: string,
): Promise<vscode.WorkspaceEdit> {
  try {
    const edit = await askOnce(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      position,
      newName,
    );
    if (edit instanceof vscode.WorkspaceEdit) {
      return edit;
    }
  } catch (error) {
    if (error instanceof ToolRefusal) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : '';
    throw new ToolRefusal(`The language server can't rename this: ${reason.slice(0, 300)}`);
  }
  throw new ToolRefusal('No language server renames symbols in this file.');
}

/** The references that say the word itself: others, such as those of an alias, keep their name. */
async function withWord(
  places: readonly vscode.Location[],
  word: string,
): Promise<readonly vscode.Location[]> {
  const found: vscode.Location[] = [];
  for (const place of places) {
    const document = await vscode.workspace.openTextDocument(place.uri);
    if (document.getText(place.range) === word) {
      found.push(place);
    }
  }
  return found;
}

function isCovered({ uri, range }: vscode.Location, changes: TextChanges): boolean {
  const key = uri.toString();
  return changes.some(
    ([changed, edits]) =>
      changed.toString() === key &&
      edits.some((edit) => edit.range.intersection(range) !== undefined),
  );
}

/** Rejects changes that were made of another text than the files have now. */
function mustFit(changes: TextChanges, { document, word }: Named): void {
  const own = changes.find(([uri]) => uri.toString() === document.uri.toString());
  const isOther = own?.[1].some(({ range }) => {
    const text = document.getText(range);
    return !(text.includes(word) || word.includes(text));
  });
  if (isOther === true) {
    throw new ToolRefusal(
      'The language server knows an older text of this file. Ask again in a while.',
    );
  }
}
