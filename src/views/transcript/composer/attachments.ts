import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type NamedSession, sessionName } from '../../../model/agents/whose';
import { readRegularFile } from '../../../model/files/regularFile';
import { isOfOtherMachine } from '../../../platform/files/windowFiles';
import { showWarningMessage } from '../../../platform/ui/messages';
import { maxAttachments } from '../../../shared/transcript/parseDraft';
import type { Attachment } from '../../../shared/transcript/prompt';

/** Maximum size of an image in bytes; larger ones are attached as files. */
const maxImageBytes = 10 * 1024 * 1024;
const imageTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** Local files and folders to attach to a prompt, and the names of those that can't be attached. */
export interface ReadAttachments {
  readonly attachments: readonly Attachment[];
  /** Names of those that aren't local files, or don't exist. */
  readonly refused: readonly string[];
  /** Names of those that are files of another machine. */
  readonly elsewhere: readonly string[];
}

/** Reads attachments. With `takesImages`, images are attached as images, not as files (CO-2). */
export async function getAttachments(
  uris: readonly vscode.Uri[],
  takesImages: boolean,
): Promise<ReadAttachments> {
  const attachments: Attachment[] = [];
  const refused: string[] = [];
  const elsewhere: string[] = [];
  for (const uri of uris.slice(0, maxAttachments)) {
    const attachment = await toAttachment(uri, takesImages);
    if (attachment === undefined) {
      (isOfOtherMachine(uri) ? elsewhere : refused).push(
        path.posix.basename(uri.path) || uri.scheme,
      );
    } else {
      attachments.push(attachment);
    }
  }
  return { attachments, refused, elsewhere };
}

/** Notifies the user of files that couldn't be attached to a session's prompt. */
export function reportRefused(
  { refused, elsewhere }: ReadAttachments,
  session: NamedSession,
): void {
  const name = sessionName(session);
  if (refused.length > 0) {
    void showWarningMessage(
      l10n.t('Not added to {0}, because it isn’t a local file: {1}', name, listSome(refused)),
    );
  }
  if (elsewhere.length > 0) {
    void showWarningMessage(
      l10n.t(
        'Not added to {0}, because it is on another machine than the agents of this window: {1}',
        name,
        listSome(elsewhere),
      ),
    );
  }
}

function listSome(names: readonly string[]): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? '…' : ''}`;
}

/** The URIs among texts that were dropped on the composer. */
export function parseUris(texts: readonly string[]): vscode.Uri[] {
  return texts.flatMap((text) => {
    try {
      return [vscode.Uri.parse(text, true)];
    } catch {
      return [];
    }
  });
}

/** The selection of an editor; the whole file if it is empty. */
export function attachmentOfEditor(editor: vscode.TextEditor): Attachment {
  const { document, selection } = editor;
  const { uri } = document;
  const name = path.posix.basename(uri.path);
  const address = uri.scheme === 'file' ? fileUri(uri) : uri.toString();
  if (selection.isEmpty && uri.scheme === 'file') {
    return { type: 'file', uri: address, name };
  }
  const whole = selection.isEmpty;
  // A selection of whole lines ends at the start of the line after them.
  const last =
    selection.end.character === 0 && selection.end.line > selection.start.line
      ? selection.end.line
      : selection.end.line + 1;
  return {
    type: 'selection',
    uri: address,
    name,
    startLine: whole ? 1 : selection.start.line + 1,
    endLine: whole ? document.lineCount : last,
    text: whole ? document.getText() : document.getText(selection),
  };
}

async function toAttachment(
  uri: vscode.Uri,
  takesImages: boolean,
): Promise<Attachment | undefined> {
  // Accessing a file on another machine would disclose the user's identity to that machine.
  if (uri.scheme !== 'file' || uri.authority !== '') {
    return undefined;
  }
  const name = path.basename(uri.fsPath);
  try {
    const facts = await stat(uri.fsPath);
    if (!facts.isFile() && !facts.isDirectory()) {
      return undefined;
    }
    const mimeType = imageTypes[path.extname(name).toLowerCase()];
    const isSmall = facts.size <= maxImageBytes;
    if (takesImages && mimeType !== undefined && facts.isFile() && isSmall) {
      const bytes = await readRegularFile(uri.fsPath, { maxBytes: maxImageBytes });
      return { type: 'image', name, mimeType, data: bytes.toString('base64') };
    }
  } catch {
    return undefined;
  }
  return { type: 'file', uri: fileUri(uri), name };
}

/** The URI of a file as attachments have it. */
export function fileUri(uri: vscode.Uri): string {
  return pathToFileURL(uri.fsPath).href;
}
