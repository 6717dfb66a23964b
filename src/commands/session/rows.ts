import type { SessionsNode } from '../../views/sessions/nodes/nodes';
import { deleteSessions } from './deleteSessions';
import { renameTarget } from './renameSession';
import { type SessionCommands, sessionNode } from './sessionCommands';
import { targetsOf } from './target';

/** The services for commands on rows of the view. */
export interface RowCommands extends SessionCommands {
  readonly view: {
    focusedRows(): Promise<readonly SessionsNode[]>;
    readonly selectedRow: SessionsNode | undefined;
  };
}

/**
 * "Rename…" for a row, from its menu or by F2. Does nothing with several rows, because it isn't
 * clear which one is meant.
 */
export async function renameRow(commands: RowCommands, argument: unknown): Promise<void> {
  const [row, another] = await rowsOf(commands, argument, undefined);
  const [target] = row === undefined ? [] : targetsOf(commands, row, undefined);
  if (target !== undefined && another === undefined) {
    await renameTarget(commands, target);
  }
}

/** "Delete…" for rows, from their menu or by the Delete key. */
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

/** A key passes no row: it applies to the focused rows. Only sessions can be renamed and deleted. */
async function rowsOf(
  { tree, view }: RowCommands,
  argument: unknown,
  selection: unknown,
): Promise<readonly SessionsNode[]> {
  const named: readonly unknown[] = Array.isArray(selection) ? selection : [argument];
  const rows = argument === undefined ? await view.focusedRows() : named;
  return rows.map((row) => sessionNode(tree, row)).filter((row) => row !== undefined);
}
