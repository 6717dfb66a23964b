import * as vscode from 'vscode';
import { writeExactFile } from '../../model/files/exactFile';
import type { Log } from '../../model/ports';
import type {
  FileNow,
  NotReplaced,
  Replacement,
  ReviewFiles,
} from '../../model/review/reviewFiles';
import type { Disposable } from '../../util/disposable';
import { Lanes } from '../../util/lanes';
import { Reloads } from '../files/reloads';
import { isReadOnly, lookAt, modeOf, readIfThere, setExecutable } from './diskFile';
import { decodeExactly, encodeLike, isSame, largestText } from './encodings';
import { exactPlace } from './exactPlace';
import { minimalTextEdits } from './minimalEdits';
import { type OpenFiles, openFiles } from './openFiles';
import type { OwnWrites } from './ownWrites';

/** Files that are looked at or written at once. */
const atOnce = 8;

export interface ReviewFilesServices {
  readonly own: OwnWrites;
  readonly log: Log;
  /** The folders whose files may be changed: those of the window and of the sessions. */
  readonly folders: () => readonly string[];
  /** Files that were deleted for good, because their file system has no trash. */
  readonly onNoTrash: (files: readonly string[]) => void;
}

/** A file that is about to be changed, and is as expected. */
interface Ready extends Replacement {
  readonly real: string;
  /** Its permissions; `undefined`: there is no file. */
  readonly mode: number | undefined;
}

/** A change that is made in a document. */
interface InDocument extends Ready {
  readonly document: vscode.TextDocument;
  /** Of the document, when it was compared. */
  readonly version: number;
  readonly wanted: Uint8Array;
  /** Without a byte order mark. */
  readonly text: string;
  /** Its unsaved changes are those of the user, who saves them. */
  readonly staysUnsaved: boolean;
}

/** The files of the user, in their documents where they are texts, otherwise on the disk. */
export class VsCodeReviewFiles implements ReviewFiles, Disposable {
  readonly #services: ReviewFilesServices;
  readonly #reloads = new Reloads();

  constructor(services: ReviewFilesServices) {
    this.#services = services;
  }

  dispose(): void {
    this.#reloads.dispose();
  }

  async look(file: string): Promise<FileNow> {
    const real = await this.#place(file);
    if (real === undefined) {
      return { kind: 'untouchable', reason: 'elsewhere' };
    }
    const now = await lookAt(real);
    const document = (await openFiles()).documents.get(real);
    return now.kind === 'file' && document?.isDirty === true
      ? { ...now, unsaved: document.getText() }
      : now;
  }

  async decode(file: string, bytes: Uint8Array): Promise<string | undefined> {
    return decodeExactly(file, bytes, shownDocument(file));
  }

  async encode(file: string, text: string, like: Uint8Array | undefined): Promise<Uint8Array> {
    return encodeLike(file, text, like, shownDocument(file));
  }

  async replace(
    files: readonly Replacement[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]> {
    const open = await openFiles();
    const refused: NotReplaced[] = [];
    const inDocuments: InDocument[] = [];
    const onDisk: Ready[] = [];
    await inLanes(files, refused, async (file) => {
      const ready = await this.#prepare(file, open);
      if ('reason' in ready) {
        refused.push(ready);
      } else if ('document' in ready) {
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
      refused.push(...(await this.#replaceInDocuments(inDocuments, done)));
      refused.push(...(await this.#replaceOnDisk(onDisk, done)));
    });
    return refused;
  }

  #place(file: string): Promise<string | undefined> {
    return exactPlace(file, this.#services.folders());
  }

  async #prepare(
    replacement: Replacement,
    open: OpenFiles,
  ): Promise<Ready | InDocument | NotReplaced> {
    const { file, expected, wanted } = replacement;
    const real = await this.#place(file);
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
    const mode = now.kind === 'file' ? await modeOf(real) : undefined;
    const ready: Ready = { ...replacement, real, mode };
    if (document?.isDirty === true) {
      return (await this.#inUnsaved(ready, document)) ?? { file, reason: 'dirty' };
    }
    if (!isSame(now.kind === 'file' ? now.bytes : undefined, expected)) {
      return { file, reason: 'changedSince' };
    }
    if (mode !== undefined && (await isReadOnly(real, mode))) {
      return { file, reason: 'readOnly' };
    }
    return expected === undefined || wanted === undefined || isSame(expected, wanted)
      ? ready
      : ((await this.#inDocument(ready, expected, wanted, document)) ?? ready);
  }

  /** Unsaved changes are replaced only if they are what is expected. */
  async #inUnsaved(ready: Ready, document: vscode.TextDocument): Promise<InDocument | undefined> {
    const { file, expected, wanted } = ready;
    if (expected === undefined || wanted === undefined) {
      return undefined;
    }
    const { version } = document;
    const unsaved = await encodeLike(file, document.getText(), expected, document);
    const text = await decodeExactly(file, wanted, document);
    return isSame(unsaved, expected) && text !== undefined && fits(text, document)
      ? { ...ready, wanted, document, version, text, staysUnsaved: true }
      : undefined;
  }

  /** `undefined`: the exact bytes can't be had by saving a document. */
  async #inDocument(
    ready: Ready,
    expected: Uint8Array,
    wanted: Uint8Array,
    shown: vscode.TextDocument | undefined,
  ): Promise<InDocument | undefined> {
    if (Math.max(expected.length, wanted.length) > largestText) {
      return undefined;
    }
    const document = shown ?? (await opened(ready.real));
    if (document === undefined || this.#reloads.isRecent(document)) {
      return undefined;
    }
    const { version } = document;
    const text = await decodeExactly(ready.file, wanted, document);
    const old = await decodeExactly(ready.file, expected, document);
    return text !== undefined && old === document.getText() && fits(text, document)
      ? { ...ready, wanted, document, version, text, staysUnsaved: false }
      : undefined;
  }

  /** All in one edit; if VS Code refuses it, one by one. */
  async #replaceInDocuments(
    all: readonly InDocument[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]> {
    const isAsItWas = ({ document, version }: InDocument): boolean => document.version === version;
    const refused: NotReplaced[] = all
      .filter((change) => !isAsItWas(change))
      .map(({ file }) => ({ file, reason: 'changedSince' }));
    const same = all.filter(isAsItWas);
    const edited = (await edit(same)) ? same : await this.#editEach(same, refused);
    await inLanes(edited, refused, async (change) => {
      if (change.staysUnsaved) {
        return;
      }
      const problem = await this.#save(change);
      if (problem === undefined) {
        done(change.file);
      } else {
        refused.push(problem);
      }
    });
    return refused;
  }

  async #editEach(
    all: readonly InDocument[],
    refused: NotReplaced[],
  ): Promise<readonly InDocument[]> {
    const edited: InDocument[] = [];
    for (const change of all) {
      if (change.document.version === change.version && (await edit([change]))) {
        edited.push(change);
      } else {
        refused.push({ file: change.file, reason: 'changedSince' });
      }
    }
    return edited;
  }

  /** Afterwards the file has exactly the wanted bytes, whatever a formatter does when a document is saved. */
  async #save({
    file,
    real,
    document,
    expected,
    wanted,
    mode,
    isExecutable,
  }: InDocument): Promise<NotReplaced | undefined> {
    if ((await this.#place(file)) !== real) {
      return elsewhere(file);
    }
    await Promise.resolve(document.save()).catch(() => false);
    const saved = await readIfThere(real);
    if (!isSame(saved, wanted)) {
      const text = await encodeLike(file, document.getText(), expected, document);
      if (!isSame(saved, expected) && !isSame(saved, text)) {
        return { file, reason: 'changedSince' };
      }
      await writeExactFile(real, wanted);
    }
    await setExecutable(real, mode, isExecutable);
    return undefined;
  }

  async #replaceOnDisk(
    all: readonly Ready[],
    done: (file: string) => void,
  ): Promise<readonly NotReplaced[]> {
    const refused: NotReplaced[] = [];
    const withoutTrash: string[] = [];
    await inLanes(all, refused, async ({ file, real, mode, expected, wanted, isExecutable }) => {
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
      } else if (expected !== undefined && !(await this.#delete(real))) {
        withoutTrash.push(file);
      }
      done(file);
    });
    if (withoutTrash.length > 0) {
      this.#services.onNoTrash(withoutTrash);
    }
    return refused;
  }

  /** Returns whether the file is in the trash now; file systems of other machines have none. */
  async #delete(real: string): Promise<boolean> {
    const uri = vscode.Uri.file(real);
    try {
      await vscode.workspace.fs.delete(uri, { useTrash: true });
      return true;
    } catch (error) {
      this.#services.log.debug(`${real} can't go to the trash: ${String(error)}`);
      await vscode.workspace.fs.delete(uri, { useTrash: false });
      return false;
    }
  }
}

function elsewhere(file: string): NotReplaced {
  return { file, reason: 'failed', detail: 'it leads to another location' };
}

function shownDocument(file: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(file).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}

async function opened(real: string): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(real));
  } catch {
    return undefined;
  }
}

/** VS Code gives a document's lines the same end. */
function fits(text: string, { eol }: vscode.TextDocument): boolean {
  const others = eol === vscode.EndOfLine.CRLF ? /(?<!\r)\n|\r(?!\n)/ : /\r/;
  return !others.test(text);
}

async function edit(changes: readonly InDocument[]): Promise<boolean> {
  const all = new vscode.WorkspaceEdit();
  for (const { document, text } of changes) {
    all.set(document.uri, minimalTextEdits(document, text));
  }
  return changes.length === 0 || vscode.workspace.applyEdit(all);
}

/** Works on several files at once; one that fails is noted, and the others go on. */
async function inLanes<T extends { readonly file: string }>(
  items: readonly T[],
  refused: NotReplaced[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const lanes = new Lanes(atOnce);
  const all = items.map((item) =>
    lanes
      .run(item.file, () => work(item))
      .catch((error: unknown) => refused.push({ file: item.file, ...reasonOf(error) })),
  );
  await Promise.all(all);
}

function reasonOf(error: unknown): Pick<NotReplaced, 'reason' | 'detail'> {
  const { code } = error as { readonly code?: unknown };
  const isDenied = ['EACCES', 'EPERM', 'EROFS', 'NoPermissions'].includes(String(code));
  return { reason: isDenied ? 'readOnly' : 'failed', detail: String(error) };
}
