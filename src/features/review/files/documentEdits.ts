import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { writeExactFile } from '../../../model/files/exactFile';
import type { RealPath } from '../../../model/ports';
import type { Reloads } from '../../../platform/files/reloads';
import { mapAtOnce } from '../../../util/async';
import type { NotReplaced, Replacement } from '../model/reviewFiles';
import { readIfThere, realPathsOnce, setExecutable } from './diskFile';
import { type Encodings, isSame, maxTextBytes } from './encodings';
import { minimalTextEdits } from './minimalEdits';

/** A document that VS Code refuses to save is tried so often, and so long apart, in ms. */
const maxSaves = 10;
const saveAgainMs = 250;

/** A change that is made in a document. */
export interface InDocument extends Ready {
  readonly document: vscode.TextDocument;
  /** The document's version when it was compared. */
  readonly version: number;
  readonly wanted: Uint8Array;
  /** The text without a byte order mark. */
  readonly text: string;
  /** Whether the unsaved changes are those of the user, who saves them. */
  readonly staysUnsaved: boolean;
  /** No editor showed it, and it had no unsaved changes. */
  readonly wasClosed: boolean;
}

/** Finds the real place of a file that may be changed. */
type Place = (file: string, resolve: RealPath) => Promise<string | undefined>;

/** Changes files in their documents, so that the user can take a change back there. */
export class DocumentEdits {
  readonly #encodings: Encodings;
  readonly #reloads: Reloads;
  readonly #place: Place;

  constructor(encodings: Encodings, reloads: Reloads, place: Place) {
    this.#encodings = encodings;
    this.#reloads = reloads;
    this.#place = place;
  }

  /** Whether what a document has unsaved comes from an interrupted decision. */
  async isLeftUnsaved(
    { file, leftUnsaved }: Replacement,
    document: vscode.TextDocument,
  ): Promise<boolean> {
    if (leftUnsaved === undefined) {
      return false;
    }
    const text = document.getText();
    const unsaved = await this.#encodings.encodeLike(file, text, leftUnsaved, document);
    return isSame(unsaved, leftUnsaved);
  }

  /** Unsaved changes are replaced only if they are what is expected. */
  async inUnsaved(ready: Ready, document: vscode.TextDocument): Promise<InDocument | undefined> {
    const { file, expected, wanted } = ready;
    if (expected === undefined || wanted === undefined) {
      return undefined;
    }
    const { version } = document;
    const unsaved = await this.#encodings.encodeLike(file, document.getText(), expected, document);
    const text = await this.#encodings.decode(file, wanted, document);
    return isSame(unsaved, expected) && text !== undefined && fits(text, document)
      ? { ...ready, wanted, document, version, text, staysUnsaved: true, wasClosed: false }
      : undefined;
  }

  /** `undefined`: the exact bytes can't be had by saving a document. */
  async inSaved(
    ready: Ready,
    expected: Uint8Array,
    wanted: Uint8Array,
  ): Promise<InDocument | undefined> {
    if (Math.max(expected.length, wanted.length) > maxTextBytes) {
      return undefined;
    }
    const wasClosed = ready.document === undefined;
    const document = ready.document ?? (await opened(ready.real));
    // VS Code doesn't read documents with unsaved text again.
    const isSettled = ready.leftUnsaved !== undefined;
    if (document === undefined || (!isSettled && this.#reloads.isRecent(document))) {
      return undefined;
    }
    const { version } = document;
    const text = await this.#encodings.decode(ready.file, wanted, document);
    const old = await this.#encodings.decode(ready.file, expected, document);
    const isAsExpected = old === document.getText() || ready.leftUnsaved !== undefined;
    return text !== undefined && isAsExpected && fits(text, document)
      ? { ...ready, wanted, document, version, text, staysUnsaved: false, wasClosed }
      : undefined;
  }

  /** All in one edit; if VS Code refuses it, one by one. */
  async replace(
    all: readonly InDocument[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]> {
    const refused: NotReplaced[] = [];
    const there = await this.#stillThere(all, refused);
    const unsaved = there.filter(({ staysUnsaved }) => staysUnsaved);
    await this.#edit(unsaved, refused, false);
    const saved = there.filter(({ staysUnsaved }) => !staysUnsaved);
    // VS Code saves the files of a refactoring together, which takes much less time than one by one.
    const edited = await this.#edit(saved, refused, true);
    const resolve = realPathsOnce();
    await forEachFile(edited, atOnce, refused, async (change) => {
      const problem = await this.#settle(change, resolve);
      if (problem === undefined) {
        done(change.file);
      } else {
        refused.push(problem);
      }
    });
    await closeTabs(edited.filter(({ wasClosed }) => wasClosed));
    return refused;
  }

  /** Finds the files whose paths don't lead elsewhere by now. */
  async #stillThere(
    all: readonly InDocument[],
    refused: NotReplaced[],
  ): Promise<readonly InDocument[]> {
    const resolve = realPathsOnce();
    const there: InDocument[] = [];
    await forEachFile(all, atOnce, refused, async (change) => {
      if ((await this.#place(change.file, resolve)) !== change.real) {
        refused.push(elsewhere(change.file));
        return;
      }
      const document = await current(change.document);
      if (document.getText() === change.document.getText()) {
        there.push(
          document === change.document
            ? change
            : { ...change, document, version: document.version },
        );
      } else {
        refused.push({ file: change.file, reason: 'changedSince' });
      }
    });
    return there;
  }

  /** Returns the changes that were made; refuses those whose documents have another text than when it was compared. */
  async #edit(
    all: readonly InDocument[],
    refused: NotReplaced[],
    isRefactoring: boolean,
  ): Promise<readonly InDocument[]> {
    const isAsItWas = ({ document, version }: InDocument): boolean => document.version === version;
    const same = all.filter(isAsItWas);
    const others = all.filter((change) => !isAsItWas(change));
    refused.push(...others.map(({ file }): NotReplaced => ({ file, reason: 'changedSince' })));
    return (await edit(same, isRefactoring)) ? same : this.#editEach(same, refused);
  }

  async #editEach(
    all: readonly InDocument[],
    refused: NotReplaced[],
  ): Promise<readonly InDocument[]> {
    const edited: InDocument[] = [];
    for (const change of all) {
      if (change.document.version === change.version && (await edit([change], false))) {
        edited.push(change);
      } else {
        refused.push({ file: change.file, reason: 'changedSince' });
      }
    }
    return edited;
  }

  /** Afterwards the file has exactly the wanted bytes, whatever a formatter did when its document was saved. */
  async #settle(
    { file, real, document: edited, expected, wanted, mode, isExecutable }: InDocument,
    resolve: RealPath,
  ): Promise<NotReplaced | undefined> {
    const document = await current(edited);
    if ((await this.#place(file, resolve)) !== real) {
      return elsewhere(file);
    }
    let saved = await readIfThere(real);
    if (!isSame(saved, wanted) || document.isDirty) {
      // VS Code doesn't save a single file, or none if the user has chosen so.
      await saveDocument(document);
      saved = await readIfThere(real);
    }
    if (!isSame(saved, wanted)) {
      const text = await this.#encodings.encodeLike(file, document.getText(), expected, document);
      if (!isSame(saved, expected) && !isSame(saved, text)) {
        return { file, reason: 'changedSince' };
      }
      await writeExactFile(real, wanted);
      await saveDocument(document);
    }
    await setExecutable(real, mode, isExecutable);
    return undefined;
  }
}

async function opened(real: string): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(real));
  } catch {
    return undefined;
  }
}

/** VS Code closes documents that no editor shows any more; an edit opens another one of the same file. */
async function current(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  return document.isClosed ? ((await opened(document.uri.fsPath)) ?? document) : document;
}

/** Tries again for a while: VS Code refuses to save a file that it has just read, see `Reloads`. */
async function saveDocument(document: vscode.TextDocument): Promise<void> {
  for (let tries = 0; tries < maxSaves; tries++) {
    const isSaved = await Promise.resolve(document.save()).catch(() => false);
    if (isSaved || !document.isDirty) {
      return;
    }
    await delay(saveAgainMs);
  }
}

/** VS Code opens tabs for documents that stay unsaved for a second, in the background. */
async function closeTabs(changes: readonly InDocument[]): Promise<void> {
  const uris = new Set(changes.map(({ document }) => document.uri.toString()));
  for (const { uri } of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    uris.delete(uri.toString());
  }
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ isActive, input }) =>
        !isActive && input instanceof vscode.TabInputText && uris.has(input.uri.toString()),
    );
  if (tabs.length > 0) {
    await vscode.window.tabGroups.close(tabs, true);
  }
}

/** VS Code gives a document's lines the same end. */
function fits(text: string, { eol }: vscode.TextDocument): boolean {
  const others = eol === vscode.EndOfLine.CRLF ? /(?<!\r)\n|\r(?!\n)/ : /\r/;
  return !others.test(text);
}

async function edit(changes: readonly InDocument[], isRefactoring: boolean): Promise<boolean> {
  const all = new vscode.WorkspaceEdit();
  for (const { document, text } of changes) {
    all.set(document.uri, minimalTextEdits(document, text));
  }
  return changes.length === 0 || vscode.workspace.applyEdit(all, { isRefactoring });
}

/** Files that are looked at or written at the same time. */
export const atOnce = 8;

/** A file that is about to be changed, and is as expected. */
export interface Ready extends Replacement {
  readonly real: string;
  /** The file's permissions; `undefined`: there is no file. */
  readonly mode: number | undefined;
  /** The document of the file. */
  readonly document: vscode.TextDocument | undefined;
}

/** The refusal of a file whose path leads to another one. */
export function elsewhere(file: string): NotReplaced {
  return { file, reason: 'failed', detail: 'it leads to another location' };
}

/** Does the work for each file. One that fails is noted, and the others continue. */
export async function forEachFile<T extends { readonly file: string }>(
  all: readonly T[],
  count: number,
  refused: NotReplaced[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  await mapAtOnce(all, count, (item) =>
    work(item).catch(
      (error: unknown) => void refused.push({ file: item.file, ...getReason(error) }),
    ),
  );
}

function getReason(error: unknown): Pick<NotReplaced, 'reason' | 'detail'> {
  const { code } = error as { readonly code?: unknown };
  const isDenied = ['EACCES', 'EPERM', 'EROFS', 'NoPermissions'].includes(String(code));
  return { reason: isDenied ? 'readOnly' : 'failed', detail: String(error) };
}
