import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { resolveInside } from '../../../model/files/roots';
import { realPath } from '../../../platform/files/realPath';
import { readLink } from '../../../platform/ui/links';
import type { PathContext } from '../../../platform/ui/openers';

/** Looked for at a time, over all messages of a webview: an agent's text must not keep the disk busy. */
const most = 500;
let running = 0;

/**
 * Those of the texts that name files inside of the session's folders, links resolved. What isn't there, is
 * a folder or lies outside isn't among them, and is never asked about again.
 */
export async function findMentioned(
  texts: readonly string[],
  paths: PathContext,
): Promise<readonly string[]> {
  const found: string[] = [];
  if (running + texts.length > most) {
    return found;
  }
  running += texts.length;
  try {
    for (const text of new Set(texts)) {
      if (await isFileInside(text, paths)) {
        found.push(text);
      }
    }
    return found;
  } finally {
    running -= texts.length;
  }
}

async function isFileInside(text: string, { cwd, roots }: PathContext): Promise<boolean> {
  const link = readLink(text, cwd);
  if (link.kind !== 'file') {
    return false;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  try {
    const real = await resolveInside(link.path, { roots, folders }, realPath);
    return (await stat(real)).isFile();
  } catch {
    return false;
  }
}
