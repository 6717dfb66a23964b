import type { SessionsNode } from '../../views/sessions/nodes/nodes';
import { deleteSessions } from './deleteSessions';
import { renameTarget } from './renameSession';
import { type SessionCommands, sessionNode } from './sessionCommands';
import { targetsOf } from './target';

/** What the commands for rows of the view work on. */
export interface RowCommands extends SessionCommands {
  readonly view: {
    focusedRows(): Promise<readonly SessionsNode[]>;
    readonly selectedRow: SessionsNode | undefined;
  };
}

/** "Rename…" of a row, by its menu or by F2. With several rows it isn't said which one is meant. */
export async function renameRow(commands: RowCommands, argument: unknown): Promise<void> {
  const [row, another] = await rowsOf(commands, argument, undefined);
  const [target] = row === undefined ? [] : targetsOf(commands, row, undefined);
  if (target !== undefined && another === undefined) {
    await renameTarget(commands, target);
  }
}

/** "Delete…" of rows, by their menu or by Delete. */
export async function deleteRows(
  commands: RowCommands,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const rows = await rowsOf(commands, argument, selection);
  if (rows.length > 0) {
    await deleteSessions(commands, rows[0], rows);
  }
}

/** A key names no row: it is about those that have the focus. Only sessions are renamed and deleted. */
async function rowsOf(
  { tree, view }: RowCommands,
  argument: unknown,
  selection: unknown,
): Promise<readonly SessionsNode[]> {
  const named: readonly unknown[] = Array.isArray(selection) ? selection : [argument];
  const rows = argument === undefined ? await view.focusedRows() : named;
  return rows.map((row) => sessionNode(tree, row)).filter((row) => row !== undefined);
}
