import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Files } from '../model/ports';
import { cleanText } from '../model/titles';
import { AcpError } from '../protocol/errors';
import { diffTabOf, isDirtyElsewhere, openDocumentOf } from './openDocuments';
import type { ReadOnlyDocuments } from './readOnlyDocuments';

/** Asks whether unsaved changes may be overwritten; anything but a clear yes is a no. */
export type AskToOverwrite = (question: string) => Promise<boolean>;

/** What VS Code itself opens as text. */
const maxBytes = 50 * 1024 * 1024;

/** Files as the person has them in their editors, and else as they are on disk (FS-2, FS-3, FS-6). */
export class VsCodeFiles implements Files {
  readonly #documents: ReadOnlyDocuments;
  readonly #ask: AskToOverwrite;
  /** The last write of each file that is being written: they wait for each other. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(documents: ReadOnlyDocuments, ask: AskToOverwrite = askToOverwrite) {
    this.#documents = documents;
    this.#ask = ask;
  }

  async read(file: string): Promise<string> {
    const document = await openDocumentOf(file);
    if (document?.isDirty === true) {
      return document.getText();
    }
    if ((await statOf(file)) === undefined) {
      throw new AcpError('gone', `There is no file ${file}`);
    }
    return readFromDisk(file);
  }

  async write(
    file: string,
    content: string,
    agentTitle: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const before = this.#writes.get(file)?.catch(() => undefined);
    const written = Promise.resolve(before).then(() =>
      this.#write(file, content, agentTitle, signal),
    );
    this.#writes.set(file, written);
    try {
      await written;
    } finally {
      if (this.#writes.get(file) === written) {
        this.#writes.delete(file);
      }
    }
  }

  async #write(
    file: string,
    content: string,
    agentTitle: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    throwIfAborted(signal);
    const document = await openDocumentOf(file);
    if (document?.isDirty === true && !isSameText(document.getText(), content)) {
      await this.#agree(document, content, agentTitle, signal);
    } else if (await isDirtyElsewhere(file)) {
      void vscode.window.showWarningMessage(
        l10n.t(
          "{0} can't write {1}, because it has unsaved changes in an editor. Save or revert them first.",
          cleanText(agentTitle, 60),
          path.basename(file),
        ),
      );
      throw new AcpError('cancelled', `${file} has unsaved changes in an editor`);
    }
    // The person may have saved or closed it meanwhile.
    await writeAsItIs(file, content);
  }

  /** Shows what the person would lose and asks; rejects unless they agree. */
  async #agree(
    document: vscode.TextDocument,
    content: string,
    agentTitle: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const name = path.basename(document.uri.fsPath);
    const agent = cleanText(agentTitle, 60);
    const proposed = this.#documents.add(name, content);
    const title = l10n.t('{0} (unsaved) ↔ {1}', name, agent);
    const options = { preserveFocus: true, preview: true };
    await vscode.commands.executeCommand('vscode.diff', document.uri, proposed, title, options);
    try {
      const question = l10n.t(
        '{0} wants to overwrite “{1}”, which has unsaved changes of yours.',
        agent,
        name,
      );
      if (!(await unlessAborted(this.#ask(question), signal))) {
        throw new AcpError('cancelled', `The person keeps their unsaved changes of ${name}`);
      }
    } finally {
      const tab = diffTabOf(proposed);
      if (tab !== undefined) {
        await vscode.window.tabGroups.close(tab);
      }
    }
  }
}

async function askToOverwrite(question: string): Promise<boolean> {
  const overwrite = l10n.t('Overwrite');
  // As an error, as with VS Code's own conflicts of saving: others hide after a few seconds.
  const answer = await vscode.window.showErrorMessage(question, overwrite, l10n.t('Keep Mine'));
  return answer === overwrite;
}

async function unlessAborted(
  answer: Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const aborted = new Promise<boolean>((resolve) => {
    signal?.addEventListener('abort', () => resolve(false), { once: true });
    if (signal?.aborted === true) {
      resolve(false);
    }
  });
  const agreed = await Promise.race([answer, aborted]);
  throwIfAborted(signal);
  return agreed;
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new AcpError('cancelled', 'Nobody waits for the file to be written any more');
  }
}

async function writeAsItIs(file: string, content: string): Promise<void> {
  const document = await openDocumentOf(file);
  if (document !== undefined && (document.isDirty || (await isUpToDate(document, file)))) {
    await writeInEditor(document, content);
    return;
  }
  const uri = vscode.Uri.file(file);
  if ((await statOf(file)) === undefined) {
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(path.dirname(file)));
    const bytes = await vscode.workspace.encode(content, { uri });
    await vscode.workspace.fs.writeFile(uri, bytes);
    return;
  }
  // Refuses what isn't text. The document isn't shown; it knows the file's encoding and line ends.
  await readFromDisk(file);
  const { encoding, eol, lineCount } = await vscode.workspace.openTextDocument(uri);
  const lineEnd = eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const text = withoutMark(content);
  const sameEnds = lineCount > 1 ? withLineEnds(text, lineEnd) : text;
  await vscode.workspace.fs.writeFile(uri, await vscode.workspace.encode(sameEnds, { encoding }));
}

/** A document that VS Code hasn't read again since its file changed couldn't be saved. */
async function isUpToDate(document: vscode.TextDocument, file: string): Promise<boolean> {
  return (
    (await statOf(file)) !== undefined && isSameText(document.getText(), await readFromDisk(file))
  );
}

/** So that the person can undo it. Encoding and line ends are the document's. */
async function writeInEditor(document: vscode.TextDocument, content: string): Promise<void> {
  const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, all, withoutMark(content));
  if (!(await vscode.workspace.applyEdit(edit)) || (document.isDirty && !(await document.save()))) {
    throw new AcpError('rpc', `VS Code could not save ${document.uri.fsPath}`);
  }
}

async function readFromDisk(file: string): Promise<string> {
  const uri = vscode.Uri.file(file);
  const bytes = await vscode.workspace.fs.readFile(uri);
  try {
    return await vscode.workspace.decode(bytes, { uri });
  } catch (error) {
    throw new AcpError('invalidParams', `${file} is not text`, {}, { cause: error });
  }
}

/** Refuses what can't be read or written as text; `undefined`: there is nothing. */
async function statOf(file: string): Promise<vscode.FileStat | undefined> {
  const stat = await statIfThere(file);
  if (stat !== undefined && (stat.type & vscode.FileType.File) === 0) {
    throw new AcpError('invalidParams', `${file} is not a file`);
  }
  if (stat !== undefined && stat.size > maxBytes) {
    throw new AcpError('invalidParams', `${file} is larger than ${maxBytes} bytes`);
  }
  return stat;
}

async function statIfThere(file: string): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(vscode.Uri.file(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
      return undefined;
    }
    throw error;
  }
}

function isSameText(a: string, b: string): boolean {
  return withLineEnds(withoutMark(a), '\n') === withLineEnds(withoutMark(b), '\n');
}

/** The byte order mark belongs to the encoding. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function withLineEnds(text: string, lineEnd: string): string {
  return text.replace(/\r\n|\r|\n/g, lineEnd);
}
