import path from 'node:path';
import * as vscode from 'vscode';
import { readExactFile } from '../model/files/exactFile';
import { resolveInside } from '../model/files/roots';
import { realPath } from '../platform/files/realPath';
import type { PathContext } from '../platform/openers';
import { isElsewhere } from '../util/elsewhere';

/** A file named by a session, as far as it may be accessed. */
export type SessionFile =
  /** `real`: the path with links resolved. */
  | { readonly kind: 'there'; readonly path: string; readonly real: string }
  | { readonly kind: 'missing' }
  /** Outside the session's and the workspace's folders: it isn't accessed. */
  | { readonly kind: 'outside' };

/** Maximum size of a file to compare, in bytes. */
const maxComparedBytes = 5_000_000;

/** Finds the file at a path that an agent named. */
export async function sessionFile(file: string, context: PathContext): Promise<SessionFile> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const target = path.resolve(context.cwd, file);
  if (isElsewhere(context.cwd) || isElsewhere(target)) {
    return { kind: 'outside' };
  }
  try {
    const real = await resolveInside(
      target,
      { roots: [...folders, ...context.roots], folders },
      realPath,
    );
    return (await realPath(real)) === undefined
      ? { kind: 'missing' }
      : { kind: 'there', path: target, real };
  } catch {
    return { kind: 'outside' };
  }
}

/** The text of a file; `undefined` if it is too large, isn't UTF-8, or can't be read. */
export async function textOfFile(real: string): Promise<string | undefined> {
  try {
    const bytes = await readExactFile(real, maxComparedBytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the file has exactly this text, apart from line endings; `undefined` if it can't be compared. */
export async function hasText(real: string, text: string): Promise<boolean | undefined> {
  const found = await textOfFile(real);
  return found === undefined ? undefined : plain(found) === plain(text);
}

function plain(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}
