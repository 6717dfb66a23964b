import type { SessionsNode } from '../../views/sessions/nodes/nodes';
import type { CommandServices } from './commandServices';
import { type CommandTarget, getTargets, sessionNode } from './sessionTarget';

/** The services for commands on rows of the view. */
export interface RowServices extends CommandServices {
  readonly view: {
    focusedRows(): Promise<readonly SessionsNode[]>;
    readonly selectedRow: SessionsNode | undefined;
  };
}

/** The `args` of the view's keys, to which VS Code passes no row. */
export const focusedRows = 'focusedRows';

/**
 * The sessions that a command is about which the view's menu, a key of the view and the palette call: the chosen rows,
 * those that have the focus, or without an argument that of the active tab. Rows of other kinds are no session.
 */
export async function chosenTargets(
  services: RowServices,
  argument: unknown,
  selection: unknown,
): Promise<readonly CommandTarget[]> {
  if (argument === undefined) {
    return getTargets(services, undefined, undefined);
  }
  const chosen: readonly unknown[] = Array.isArray(selection) ? selection : [argument];
  const rows = argument === focusedRows ? await services.view.focusedRows() : chosen;
  const sessions = rows.filter((row) => sessionNode(services.tree, row) !== undefined);
  return sessions.length === 0 ? [] : getTargets(services, sessions[0], sessions);
}
