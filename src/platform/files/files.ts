import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { FileBytes } from '../../model/files/fileBytes';
import { realPathOfNew } from '../../model/files/roots';
import type { Files } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import { AcpError } from '../../protocol/errors';
import { refusal } from '../../protocol/refusal';
import { literalLine } from '../../shared/literal';
import { showErrorMessage, showWarningMessage } from '../ui/messages';
import { findDiffTab, findOpenDocument, isDirtyElsewhere } from './openDocuments';
import type { OwnWrites } from './ownWrites';
import type { ReadOnlyDocuments } from './readOnlyDocuments';
import { realPath } from './realPath';
import { Reloads } from './reloads';

/** Files as the user has them in editors, otherwise as they are on disk (FS-2, FS-3, FS-6). */
export class VsCodeFiles implements Files, vscode.Disposable {
  readonly #documents: ReadOnlyDocuments;
  readonly #own: OwnWrites;
  readonly #bytes = new FileBytes();
  readonly #reloads = new Reloads();
  /** The last pending write of each file: writes to the same file run in sequence. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(documents: ReadOnlyDocuments, own: OwnWrites) {
    this.#documents = documents;
    this.#own = own;
  }

  dispose(): void {
    this.#reloads.dispose();
  }

  async read(file: string): Promise<string> {
    const document = await findOpenDocument(file);
    if (document?.isDirty === true) {
      return document.getText();
    }
    return this.#readFromDisk(file);
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
    const document = await findOpenDocument(file);
    let agreed: string | undefined;
    if (document?.isDirty === true && !isSameText(document.getText(), content)) {
      agreed = document.getText();
      await this.#agree(document, content, agentTitle, signal);
    } else if (await isDirtyElsewhere(file)) {
      sayUnsaved(file, agentTitle);
      throw refusal('unsavedChanges', `${file} has unsaved changes in an editor`);
    }
    await this.#writeAsItIs(file, content, agreed, agentTitle);
  }

  /** Writes a document as it is. In the meantime, the user may have saved, closed or edited it. */
  async #writeAsItIs(
    file: string,
    content: string,
    agreed: string | undefined,
    agentTitle: string,
  ): Promise<void> {
    mustBeTrusted();
    const document = await findOpenDocument(file);
    if (document === undefined || !(document.isDirty || (await this.#isUpToDate(document, file)))) {
      await this.#writeOnDisk(file, content);
      return;
    }
    await mustLeadTo(document.uri, file);
    const text = document.getText();
    const counts = document.isDirty || agreed !== undefined;
    if (counts && text !== agreed && !isSameText(text, content)) {
      sayChanged(file, agentTitle);
      throw refusal('unsavedChanges', `${file} was changed in its editor meanwhile`);
    }
    await this.#own.during([document.uri.fsPath], () => writeInEditor(document, content, file));
  }

  async #writeOnDisk(file: string, content: string): Promise<void> {
    const uri = vscode.Uri.file(file);
    const old = await this.#readFromDisk(file).catch(unlessGone);
    if (old === undefined) {
      await this.#bytes.write(file, await vscode.workspace.encode(content, { uri }));
      return;
    }
    // The document isn't shown; it provides the file's encoding and line ends.
    await mustLeadTo(uri, file);
    const { encoding, eol, lineCount } = await vscode.workspace.openTextDocument(uri);
    const lineEnd = eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const text = withoutMark(content);
    const sameEnds = lineCount > 1 ? withLineEnds(text, lineEnd) : text;
    await this.#bytes.write(file, await vscode.workspace.encode(sameEnds, { encoding }));
  }

  #readFromDisk(file: string): Promise<string> {
    return this.#bytes.read(file, (bytes) => decoded(bytes, file));
  }

  /** VS Code can't save a document that it hasn't reloaded since its file changed. */
  async #isUpToDate(document: vscode.TextDocument, file: string): Promise<boolean> {
    const onDisk = await this.#readFromDisk(file).catch(unlessGone);
    return (
      onDisk !== undefined &&
      isSameText(document.getText(), onDisk) &&
      !this.#reloads.isRecent(document)
    );
  }

  /** Shows the changes that the user would lose and asks; rejects unless the user agrees. */
  async #agree(
    document: vscode.TextDocument,
    content: string,
    agentTitle: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const name = literalLine(path.basename(document.uri.fsPath));
    const agent = cleanText(agentTitle, 60);
    const proposed = this.#documents.add(name, content);
    const title = l10n.t('{0} (unsaved) ↔ {1}', name, agent);
    const options = { preserveFocus: true, preview: true };
    await vscode.commands.executeCommand('vscode.diff', document.uri, proposed, title, options);
    try {
      const question = l10n.t(
        '{0} wants to overwrite “{1}”, which has unsaved changes.',
        agent,
        name,
      );
      if (!(await unlessAborted(askToOverwrite(question), signal))) {
        throw refusal('unsavedChanges', `The user keeps their unsaved changes to ${name}`);
      }
    } finally {
      const tab = findDiffTab(proposed);
      if (tab !== undefined) {
        await vscode.window.tabGroups.close(tab);
      }
    }
  }
}

/** Asks whether unsaved changes may be overwritten; anything but a clear yes means no. */
async function askToOverwrite(question: string): Promise<boolean> {
  const overwrite = l10n.t('Overwrite');
  // An error message, like those of VS Code's save conflicts: others hide after a few seconds.
  const answer = await showErrorMessage(question, overwrite, l10n.t('Keep Mine'));
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
    throw refusal('cancelled', 'Nobody waits for the file to be written any more');
  }
}

/**
 * Edits the document, so that the user can undo it. Encoding and line ends stay those of the
 * document.
 */
async function writeInEditor(
  document: vscode.TextDocument,
  content: string,
  file: string,
): Promise<void> {
  const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, all, withoutMark(content));
  const isEdited = await vscode.workspace.applyEdit(edit);
  // VS Code saves by path.
  await mustLeadTo(document.uri, file);
  if (!isEdited || (document.isDirty && !(await document.save()))) {
    throw refusal('saveFailed', `VS Code could not save ${document.uri.fsPath}`);
  }
}

/** VS Code opens and saves a document by its path, and follows links. */
async function mustLeadTo({ fsPath }: vscode.Uri, file: string): Promise<void> {
  if ((await realPathOfNew(fsPath, realPath)) !== file) {
    throw refusal('pathBroken', `${fsPath} leads elsewhere by now`);
  }
}

function sayUnsaved(file: string, agentTitle: string): void {
  void showWarningMessage(
    l10n.t(
      '{0} can’t write {1} because it has unsaved changes in an editor. Save or revert them first.',
      cleanText(agentTitle, 60),
      literalLine(path.basename(file)),
    ),
  );
}

function sayChanged(file: string, agentTitle: string): void {
  void showWarningMessage(
    l10n.t(
      '{0} didn’t write {1} because you have changed it in the meantime. Your text is unchanged.',
      cleanText(agentTitle, 60),
      literalLine(path.basename(file)),
    ),
  );
}

function mustBeTrusted(): void {
  if (!vscode.workspace.isTrusted) {
    throw refusal('untrusted', 'The workspace is not trusted');
  }
}

async function decoded(bytes: Uint8Array, file: string): Promise<string> {
  try {
    return await vscode.workspace.decode(bytes, { uri: vscode.Uri.file(file) });
  } catch (error) {
    throw refusal('notText', `${file} is not text`, { cause: error });
  }
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof AcpError) || error.code !== 'gone') {
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
