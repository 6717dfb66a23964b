import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pathOfFileUri } from '../../../model/files/fileUri';
import {
  type ContextSession,
  getContextSession,
  type ProvidedContext,
} from '../../../model/session/providedContext';
import type { ReadOnlyDocuments } from '../../../platform/files/readOnlyDocuments';
import { openFile, type PathContext } from '../../../platform/openers';
import { showInformationMessage, showWarningMessage } from '../../../platform/ui/messages';
import { byteSize } from '../../../shared/byteSize';
import type { Attachment } from '../../../shared/transcript/prompt';
import { openText } from '../text/openParts';

export interface OpenAttachmentTarget {
  readonly session: Parameters<typeof getContextSession>[0];
  readonly services: {
    readonly documents: ReadOnlyDocuments;
    readonly promptContext: Pick<ProvidedContext, 'read'>;
  };
  readonly paths: PathContext;
}

type Selection = Extract<Attachment, { type: 'selection' }>;
type Context = Extract<Attachment, { type: 'context' }>;

/**
 * Shows what goes along with a prompt: a file, its lines, or a text with its size. A context is read now. Call only
 * with what was offered to the page.
 */
export async function openAttachment(
  attachment: Attachment,
  { session, services, paths }: OpenAttachmentTarget,
): Promise<void> {
  switch (attachment.type) {
    case 'file': {
      const file = pathOfFileUri(attachment.uri);
      if (file !== undefined) {
        // The user has chosen it, or agreed to it: asking once more would say that the transcript points to it.
        await openFile(file, undefined, { ...paths, roots: [...paths.roots, file] });
      }
      return;
    }
    case 'selection':
      if (!(await showLines(attachment, paths))) {
        await showText(services.documents, attachment);
      }
      return;
    case 'text':
      return showText(services.documents, attachment);
    case 'context':
      return showContext(attachment, getContextSession(session), services);
    case 'image':
      return;
  }
}

/** Whether the lines are open in their file, as they are in the prompt. */
async function showLines(
  { uri, startLine, endLine, text }: Selection,
  paths: PathContext,
): Promise<boolean> {
  const file = pathOfFileUri(uri);
  if (file === undefined || !(await openFile(file, startLine, paths))) {
    return false;
  }
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.fsPath !== file) {
    return false;
  }
  const { document } = editor;
  const last = document.lineAt(Math.min(endLine, document.lineCount) - 1);
  const lines = new vscode.Range(
    new vscode.Position(Math.min(startLine, document.lineCount) - 1, 0),
    last.rangeIncludingLineBreak.end,
  );
  editor.selection = new vscode.Selection(lines.start, last.range.end);
  return document.getText(lines).includes(text);
}

async function showContext(
  context: Context,
  session: ContextSession,
  { documents, promptContext }: OpenAttachmentTarget['services'],
): Promise<void> {
  const { name } = context;
  try {
    const parts = await promptContext.read(context, session);
    const [first] = parts;
    if (first === undefined) {
      void showInformationMessage(l10n.t('{0}: there is nothing at the moment.', name));
      return;
    }
    const text =
      parts.length === 1
        ? first.text
        : parts.map((part) => `${part.name}\n\n${part.text}`).join('\n\n\n');
    await showText(documents, { uri: first.uri, name, text });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void showWarningMessage(l10n.t('{0} can’t be read. {1}', name, reason));
  }
}

/** In a document whose name has the size; the address says which language it is. */
async function showText(
  documents: ReadOnlyDocuments,
  { uri, name, text }: { readonly uri: string; readonly name: string; readonly text: string },
): Promise<void> {
  const type = path.posix.extname(uri.split('#')[0] ?? '') || '.txt';
  const size = byteSize(Buffer.byteLength(text));
  await openText(documents, { name: `${path.basename(name, type)} - ${size}${type}`, text });
}
