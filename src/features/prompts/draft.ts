import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { findMentionedPath } from '../../model/files/mentionPaths';
import { realPath } from '../../platform/files/realPath';
import type { PromptDocument } from '../../shared/prompt/promptDocument';
import type { LineRange, MentionTarget } from '../../shared/prompt/promptMention';
import { type PromptPart, promptParts, sentText } from '../../shared/prompt/promptParts';
import type { Attachment, Draft } from '../../shared/transcript/prompt';
import { getAttachments } from '../../views/transcript/composer/attachments';

export interface PromptTarget {
  readonly roots: readonly string[];
  readonly takesImages: boolean;
  /** What a word after `@` stands for that isn't a file. */
  readonly findContext: (word: string) => Promise<Attachment | undefined>;
}

/**
 * The draft to send for a written prompt: its text without settings and comments, and the files, lines, symbols, images
 * and what else it mentions, if they are the session's. Mentions of anything else stay plain text.
 */
export async function getDraft(document: PromptDocument, target: PromptTarget): Promise<Draft> {
  const parts = promptParts(document);
  const attachments: Attachment[] = [];
  for (const part of parts) {
    const attachment = await toAttachment(part, target);
    if (attachment !== undefined && !attachments.some((other) => isSame(other, attachment))) {
      attachments.push(attachment);
    }
  }
  return { text: sentText(parts).replaceAll('\r\n', '\n'), attachments };
}

function findInRoots(written: string, roots: readonly string[]) {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return findMentionedPath(written, { roots, folders }, realPath);
}

function isSame(a: Attachment, b: Attachment): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function toAttachment(
  part: PromptPart,
  { roots, takesImages, findContext }: PromptTarget,
): Promise<Attachment | undefined> {
  switch (part.kind) {
    case 'text':
      return undefined;
    case 'mention':
      return part.target.kind === 'file'
        ? fileNamed(part.target, roots)
        : findContext(part.target.kind === 'symbol' ? `#${part.target.name}` : part.target.word);
    case 'image': {
      const found = await findInRoots(part.path, roots);
      const read = found && (await getAttachments([vscode.Uri.file(found.path)], takesImages));
      return read?.attachments[0];
    }
  }
}

async function fileNamed(
  target: Extract<MentionTarget, { kind: 'file' }>,
  roots: readonly string[],
): Promise<Attachment | undefined> {
  const found = await findInRoots(target.path, roots);
  if (found === undefined) {
    return undefined;
  }
  const lines = target.lines && !found.isFolder ? target.lines : undefined;
  return lines ? getLines(vscode.Uri.file(found.path), lines) : fileAt(found.path);
}

function fileAt(file: string): Attachment {
  return { type: 'file', uri: pathToFileURL(file).href, name: path.basename(file) };
}

/** The lines as in the editor, saved or not. */
async function getLines(uri: vscode.Uri, { first, last }: LineRange): Promise<Attachment> {
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    // It isn't text, so only the whole file can be sent.
    return fileAt(uri.fsPath);
  }
  const end = Math.min(last, document.lineCount);
  const start = Math.min(first, end);
  const range = new vscode.Range(start - 1, 0, end - 1, document.lineAt(end - 1).text.length);
  return {
    type: 'selection',
    uri: pathToFileURL(uri.fsPath).href,
    name: path.basename(uri.fsPath),
    startLine: start,
    endLine: end,
    text: document.getText(range),
  };
}
