import * as vscode from 'vscode';
import { deleteExactFile, writeExactFile } from '../../../model/files/exactFile';
import type { RealPath } from '../../../model/ports';
import { textUris } from '../../../platform/files/openDocuments';
import type { OwnWrites } from '../../../platform/files/ownWrites';
import { realPath } from '../../../platform/files/realPath';
import { Reloads } from '../../../platform/files/reloads';
import { hasTrash } from '../../../platform/files/trash';
import type { Disposable } from '../../../util/disposable';
import type {
  Deleting,
  FileNow,
  NotReplaced,
  Replacement,
  ReviewFiles,
} from '../model/reviewFiles';
import {
  canRun,
  exactPlace,
  isReadOnly,
  lookAt,
  readIfThere,
  realPathsOnce,
  setExecutable,
} from './diskFile';
import {
  atOnce,
  DocumentEdits,
  elsewhere,
  forEachFile,
  type InDocument,
  type Ready,
} from './documentEdits';
import { Encodings, isSame } from './encodings';

/**
 * Files that are opened, changed and saved at the same time: VS Code closes documents that no editor shows once
 * extensions have opened 50 others, https://github.com/microsoft/vscode/blob/main/src/vs/workbench/api/browser/mainThreadDocuments.ts
 */
const documentsAtOnce = 40;

export interface ReviewFilesServices {
  readonly own: OwnWrites;
  /** The folders whose files may be changed: those of the window and of the sessions. */
  readonly folders: () => readonly string[];
  /** Whether the user agrees that these files are deleted for good. */
  readonly mayDeleteForGood: (files: readonly string[]) => Promise<boolean>;
}

/** The files of the user, in their documents where they are texts, otherwise on the disk. */
export class VsCodeReviewFiles implements ReviewFiles, Disposable {
  readonly #services: ReviewFilesServices;
  readonly #reloads = new Reloads();
  readonly #encodings = new Encodings();
  readonly #edits = new DocumentEdits(this.#encodings, this.#reloads, (file, resolve) =>
    this.#place(file, resolve),
  );

  constructor(services: ReviewFilesServices) {
    this.#services = services;
  }

  dispose(): void {
    this.#reloads.dispose();
    this.#encodings.dispose();
  }

  async look(file: string): Promise<FileNow> {
    const real = await this.#place(file);
    if (real === undefined) {
      return { kind: 'untouchable', reason: 'elsewhere' };
    }
    const now = await lookAt(real);
    if (now.kind !== 'file') {
      return now;
    }
    const { kind, bytes, mode } = now;
    const unsaved = await unsavedText(real);
    return { kind, bytes, isExecutable: canRun(mode), ...(unsaved !== undefined && { unsaved }) };
  }

  async decode(file: string, bytes: Uint8Array): Promise<string | undefined> {
    return this.#encodings.decode(file, bytes, shownDocument(file));
  }

  async encode(file: string, text: string, like: Uint8Array | undefined): Promise<Uint8Array> {
    return this.#encodings.encodeLike(file, text, like, shownDocument(file));
  }

  async replace(
    files: readonly Replacement[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]> {
    const refused: NotReplaced[] = [];
    for (let at = 0; at < files.length; at += documentsAtOnce) {
      const some = files.slice(at, at + documentsAtOnce);
      refused.push(...(await this.#replaceSome(some, done)));
    }
    return refused;
  }

  async howToDelete(files: readonly string[]): Promise<Deleting> {
    if (hasTrash()) {
      return 'toTrash';
    }
    return (await this.#services.mayDeleteForGood(files)) ? 'forGood' : 'declined';
  }

  async #replaceSome(
    files: readonly Replacement[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]> {
    const open = await openFiles();
    const refused: NotReplaced[] = [];
    const inDocuments: InDocument[] = [];
    const onDisk: Ready[] = [];
    const resolve = realPathsOnce();
    await forEachFile(files, documentsAtOnce, refused, async (file) => {
      const ready = await this.#prepare(file, open, resolve);
      if ('reason' in ready) {
        refused.push(ready);
      } else if ('version' in ready) {
        inDocuments.push(ready);
      } else {
        onDisk.push(ready);
      }
    });
    const names = [
      ...[...inDocuments, ...onDisk].flatMap(({ file, real }) => [file, real]),
      ...inDocuments.map(({ document }) => document.uri.fsPath),
    ];
    await this.#services.own.during(names, async () => {
      refused.push(...(await this.#edits.replace(inDocuments, done)));
      refused.push(...(await this.#replaceOnDisk(onDisk, done)));
    });
    return refused;
  }

  #place(file: string, resolve?: RealPath): Promise<string | undefined> {
    return exactPlace(file, this.#services.folders(), resolve);
  }

  async #prepare(
    replacement: Replacement,
    open: OpenFiles,
    resolve: RealPath,
  ): Promise<Ready | InDocument | NotReplaced> {
    const { file, expected, wanted } = replacement;
    const real = await this.#place(file, resolve);
    if (real === undefined) {
      return elsewhere(file);
    }
    const document = open.documents.get(real);
    const now = await lookAt(real);
    if (now.kind === 'untouchable') {
      return { file, reason: 'failed', detail: now.reason };
    }
    if (open.dirtyElsewhere.has(real)) {
      return { file, reason: 'dirty' };
    }
    const mode = now.kind === 'file' ? now.mode : undefined;
    const ready: Ready = { ...replacement, real, mode, document };
    if (document?.isDirty === true && !(await this.#edits.isLeftUnsaved(replacement, document))) {
      return (await this.#edits.inUnsaved(ready, document)) ?? { file, reason: 'dirty' };
    }
    if (!isSame(now.kind === 'file' ? now.bytes : undefined, expected)) {
      return { file, reason: 'changedSince' };
    }
    if (mode !== undefined && (await isReadOnly(real, mode))) {
      return { file, reason: 'readOnly' };
    }
    const isEdit = document?.isDirty === true || !isSame(expected, wanted);
    return expected === undefined || wanted === undefined || !isEdit
      ? ready
      : ((await this.#edits.inSaved(ready, expected, wanted)) ??
          (document?.isDirty === true ? { file, reason: 'dirty' } : ready));
  }

  async #replaceOnDisk(
    all: readonly Ready[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]> {
    const refused: NotReplaced[] = [];
    await forEachFile(all, atOnce, refused, async (ready) => {
      const { file, real, mode, expected, wanted, isExecutable } = ready;
      if ((await this.#place(file)) !== real) {
        refused.push(elsewhere(file));
        return;
      }
      if (!isSame(await readIfThere(real), expected)) {
        refused.push({ file, reason: 'changedSince' });
        return;
      }
      if (wanted !== undefined) {
        if (!isSame(expected, wanted)) {
          await writeExactFile(real, wanted);
        }
        await setExecutable(real, mode, isExecutable);
      } else if (expected !== undefined) {
        const problem = await deleteFile(ready, expected);
        if (problem !== undefined) {
          refused.push(problem);
          return;
        }
      }
      done(file);
    });
    return refused;
  }
}

/** Deletes a file to the trash, or for good where there is none and the user agreed. Returns why it is still there. */
async function deleteFile(
  { file, real, leftUnsaved, forGood }: Ready,
  expected: Uint8Array,
): Promise<NotReplaced | undefined> {
  if (leftUnsaved === undefined && (await unsavedText(real)) !== undefined) {
    return { file, reason: 'dirty' };
  }
  if (!hasTrash()) {
    const isAgreed = forGood === true;
    return isAgreed && (await deleteExactFile(real, expected))
      ? undefined
      : { file, reason: isAgreed ? 'changedSince' : 'noTrash' };
  }
  try {
    await vscode.workspace.fs.delete(vscode.Uri.file(real), { useTrash: true });
    return undefined;
  } catch (error) {
    return { file, reason: 'noTrash', detail: String(error) };
  }
}

function shownDocument(file: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(file).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}

/** The files that are open in this window, by their real paths. */
interface OpenFiles {
  /** Documents that are in an editor or have unsaved changes; of several for one file, the one with unsaved changes. */
  readonly documents: ReadonlyMap<string, vscode.TextDocument>;
  /** Files with unsaved changes in other editors: notebooks and custom editors. */
  readonly dirtyElsewhere: ReadonlySet<string>;
}

async function openFiles(): Promise<OpenFiles> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = new Set(tabs.flatMap(textUris).map(String));
  const documents = new Map<string, vscode.TextDocument>();
  for (const document of vscode.workspace.textDocuments) {
    const counts = document.isDirty || shown.has(document.uri.toString()) || isVisible(document);
    const real = counts ? await findRealPath(document.uri) : undefined;
    if (real !== undefined && documents.get(real)?.isDirty !== true) {
      documents.set(real, document);
    }
  }
  const dirty = await Promise.all(tabs.filter(({ isDirty }) => isDirty).map(otherFile));
  return { documents, dirtyElsewhere: new Set(dirty.filter((file) => file !== undefined)) };
}

/** The text of a file's document that the user hasn't saved. */
async function unsavedText(real: string): Promise<string | undefined> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && (await findRealPath(document.uri)) === real) {
      return document.getText();
    }
  }
  return undefined;
}

/** Whether a document is visible, also in a multi-diff editor, whose files the API doesn't tell. */
function isVisible(document: vscode.TextDocument): boolean {
  return vscode.window.visibleTextEditors.some((editor) => editor.document === document);
}

async function otherFile({ input }: vscode.Tab): Promise<string | undefined> {
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook
    ? findRealPath(input.uri)
    : undefined;
}

/** A document of a deleted file is still one of that file. */
async function findRealPath({ scheme, fsPath }: vscode.Uri): Promise<string | undefined> {
  return scheme === 'file' ? ((await realPath(fsPath)) ?? fsPath) : undefined;
}
