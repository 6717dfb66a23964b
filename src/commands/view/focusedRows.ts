import type { SessionsNode } from '../../views/sessions/nodes/nodes';
import { deleteSessions } from '../session/bulk/deleteSessions';
import type { CommandServices } from '../session/commandServices';
import { renameTarget } from '../session/renameSession';
import { getTargets, sessionNode } from '../session/sessionTarget';

/** The services for commands on rows of the view. */
export interface RowServices extends CommandServices {
  readonly view: {
    focusedRows(): Promise<readonly SessionsNode[]>;
    readonly selectedRow: SessionsNode | undefined;
  };
}

/**
 * "Rename…" for a row, from its menu or by F2. Does nothing with several rows, because it isn't
 * clear which one is meant.
 */
export async function renameRow(services: RowServices, argument: unknown): Promise<void> {
  const [row, another] = await getRows(services, argument, undefined);
  const [target] = row === undefined ? [] : getTargets(services, row, undefined);
  if (target !== undefined && another === undefined) {
    await renameTarget(services, target);
  }
}

/** "Delete…" for rows, from their menu or by the Delete key. */
export async function deleteRows(
  services: RowServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const rows = await getRows(services, argument, selection);
  if (rows.length > 0) {
    await deleteSessions(services, rows[0], rows);
  }
}

/** A key passes no row: it applies to the focused rows. Only sessions can be renamed and deleted. */
async function getRows(
  { tree, view }: RowServices,
  argument: unknown,
  selection: unknown,
): Promise<readonly SessionsNode[]> {
  const named: readonly unknown[] = Array.isArray(selection) ? selection : [argument];
  const rows = argument === undefined ? await view.focusedRows() : named;
  return rows.map((row) => sessionNode(tree, row)).filter((row) => row !== undefined);
}
