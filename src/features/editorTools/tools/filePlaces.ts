import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import { mapAtOnce } from '../../../util/async';
import type { JsonObject } from '../../../util/json';
import { numberArgument, ToolRefusal, textArgument } from '../model/tool';

/** Places in one answer; there are more by `offset`. */
const maxPlaces = 200;
const maxLine = 300;
/** Bytes of a file whose lines are told. */
const maxFile = 5_000_000;
const filesAtOnce = 8;

export interface Place {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** What is there, if the line doesn't say it. */
  readonly note?: string;
}

/** The file that an argument names, which the agent may read. */
export async function fileArgument(
  args: JsonObject,
  session: ServedSession,
): Promise<vscode.Uri | undefined> {
  const named = textArgument(args, 'path');
  if (named === undefined) {
    return undefined;
  }
  const file = path.resolve(session.cwd, session.inward(named));
  if (!(await session.canRead(file))) {
    throw new ToolRefusal(`"${named}" is outside this session's folders, or may not be read.`);
  }
  if (!(await isFile(file))) {
    throw new ToolRefusal(`There is no file "${named}".`);
  }
  return vscode.Uri.file(file);
}

export async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** The name of a file as the session calls it. */
export function nameOf(uri: vscode.Uri, session: ServedSession): string {
  const inside = path.relative(session.cwd, uri.fsPath);
  const isInside = inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside);
  // The agent's machine may have no such file: the agent can still name it as seen from its folder.
  return (isInside ? inside : (session.outward(uri.fsPath) ?? inside)).replaceAll('\\', '/');
}

/** Which of these are files that the agent may read. */
export async function readable(
  uris: Iterable<vscode.Uri>,
  session: ServedSession,
): Promise<ReadonlySet<string>> {
  const files = new Map(
    [...uris].filter(({ scheme }) => scheme === 'file').map((uri) => [uri.toString(), uri.fsPath]),
  );
  const allowed = await session.readable(files.values());
  return new Set([...files].filter(([, file]) => allowed.has(file)).map(([key]) => key));
}

/** The lines of a file: as they are in its editor, or else on the disk. */
export async function linesOf(uri: vscode.Uri): Promise<readonly string[]> {
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  if (open !== undefined) {
    return open.getText().split(/\r?\n/);
  }
  try {
    const { size } = await stat(uri.fsPath);
    return size > maxFile ? [] : (await readFile(uri.fsPath, 'utf8')).split(/\r?\n/);
  } catch {
    return [];
  }
}

/** Places with their lines' text, by file; those elsewhere are only counted. `what` names them: "references of `x`". */
export async function describePlaces(
  what: string,
  places: readonly Place[],
  session: ServedSession,
  args: JsonObject,
): Promise<string> {
  const allowed = await readable(
    places.map(({ uri }) => uri),
    session,
  );
  const inside = places.filter(({ uri }) => allowed.has(uri.toString()));
  const from = numberArgument(args, 'offset') ?? 1;
  const shown = inside.slice(from - 1, from - 1 + maxPlaces);
  const texts = new Map(
    await mapAtOnce(
      [...new Map(shown.map(({ uri }) => [uri.toString(), uri]))],
      filesAtOnce,
      async ([key, uri]) => [key, await linesOf(uri)] as const,
    ),
  );
  const parts = [`${inside.length} ${what}${inside.length > 0 ? ':' : '.'}`];
  let last = '';
  for (const { uri, range, note } of shown) {
    const key = uri.toString();
    if (key !== last) {
      parts.push('', nameOf(uri, session));
      last = key;
    }
    const { line, character } = range.start;
    const text = (texts.get(key)?.[line] ?? '').trim().slice(0, maxLine);
    parts.push(`  ${line + 1}:${character + 1}: ${text}${note === undefined ? '' : ` (${note})`}`);
  }
  const next = from + shown.length;
  if (next <= inside.length) {
    parts.push('', `${inside.length - next + 1} more: call again with "offset": ${next}.`);
  }
  const outside = places.length - inside.length;
  if (outside > 0) {
    parts.push('', `${outside} more in files outside this session's folders.`);
  }
  return parts.join('\n');
}

/** What can't be known of a session whose folder isn't open in the window. */
export function limitsOf({ cwd }: ServedSession): string {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd)) === undefined
    ? "This session's folder isn't open in the window: results may lack other files.\n"
    : '';
}
