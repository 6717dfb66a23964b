import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { resolveInside } from '../model/roots';
import { realPath } from '../platform/realPath';

/** The first of the session's folders that has what a prompt mentions, links resolved; `undefined` when none has it. */
export async function findInRoots(
  written: string,
  roots: readonly string[],
): Promise<{ readonly path: string; readonly isFolder: boolean } | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  // Either kind of slash is meant where only one is a separator.
  const relative = path.sep === '/' ? written.replaceAll('\\', '/') : written;
  for (const root of roots) {
    for (const candidate of new Set([written, relative])) {
      try {
        const file = path.resolve(root, candidate);
        await resolveInside(file, { roots, folders }, realPath);
        const facts = await stat(file);
        if (facts.isFile() || facts.isDirectory()) {
          return { path: file, isFolder: facts.isDirectory() };
        }
      } catch {
        // Not there, or not the session's: another folder may have it.
      }
    }
  }
  return undefined;
}
