import path from 'node:path';
import * as vscode from 'vscode';
import { readExactFile } from '../../../model/files/exactFile';
import { resolveInside } from '../../../model/files/roots';
import { realPath } from '../../../platform/files/realPath';
import type { PathContext } from '../../../platform/ui/openers';

/** A file that a session names, as far as it may be looked at. */
export type SessionFile =
  /** `real` is where it is, links resolved. */
  | { readonly kind: 'there'; readonly path: string; readonly real: string }
  | { readonly kind: 'missing' }
  /** Outside of the session's and the workspace's folders: it isn't touched. */
  | { readonly kind: 'outside' };

/** Larger files aren't compared, in bytes. */
const largestCompared = 5_000_000;

/** The file at a path that an agent named. */
export async function sessionFile(file: string, context: PathContext): Promise<SessionFile> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const target = path.resolve(context.cwd, file);
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

/** The text of a file; `undefined` when it is too large or not of text in UTF-8, or can't be read. */
export async function textOfFile(real: string): Promise<string | undefined> {
  try {
    const bytes = await readExactFile(real, largestCompared);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the file has this very text, whatever its line ends; `undefined` when that can't be said. */
export async function hasText(real: string, text: string): Promise<boolean | undefined> {
  const found = await textOfFile(real);
  return found === undefined ? undefined : plain(found) === plain(text);
}

function plain(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}
