import * as vscode from 'vscode';
import { type FileEdit, PartlyWrittenError } from '../../../model/requests/filesEdit';
import type { ServedSession } from '../../../model/session/ownServers';
import { AcpError } from '../../../protocol/errors';
import { getRefusal } from '../../../protocol/refusal';
import { ToolRefusal } from '../model/tool';
import { nameOf } from './filePlaces';

/** Changes files once the user, or their rules, have allowed it; says which. */
export async function change(
  title: string,
  files: readonly FileEdit[],
  session: ServedSession,
  signal: AbortSignal,
): Promise<string> {
  if (files.length === 0) {
    return 'Nothing to change: the text is already so.';
  }
  const names = files.map(({ path }) => `  ${nameOf(vscode.Uri.file(path), session)}`);
  await orRefusal(
    title,
    session.edit({ title, files }, signal).catch((error: unknown) => {
      throw error instanceof PartlyWrittenError ? partlyDone(title, names, error) : error;
    }),
  );
  return [`Done. Changed and saved ${files.length} files:`, ...names].join('\n');
}

function partlyDone(
  title: string,
  names: readonly string[],
  { written, cause }: PartlyWrittenError,
): ToolRefusal {
  return new ToolRefusal(
    [
      `Done only in part. ${getRefusal(cause, title, {}).message}`,
      'Changed and saved:',
      ...names.slice(0, written),
      'Not changed:',
      ...names.slice(written),
    ].join('\n'),
  );
}

/** Tells the model why the user, a rule or the editor didn't do what was asked for. */
export async function orRefusal<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AcpError) {
      throw new ToolRefusal(getRefusal(error, what, {}).message);
    }
    throw error;
  }
}
