import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { resolveInside } from '../../../model/files/roots';
import { realPath } from '../../../platform/files/realPath';
import type { PathContext } from '../../../platform/openers';
import { readLink } from '../../../platform/ui/links';
import { isElsewhere } from '../../../util/elsewhere';

/**
 * Maximum number of texts to check at a time, over all webviews: an agent's text must not keep the
 * disk busy.
 */
const most = 500;
let running = 0;

/**
 * The texts that name files inside the session's folders, with links resolved. Folders, files outside and
 * missing files are left out, and the page never asks about them again.
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
  if (link.kind !== 'file' || isElsewhere(cwd)) {
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
