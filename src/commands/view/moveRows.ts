import type { SessionsNode } from '../../views/sessions/nodes/nodes';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { SessionsView } from '../../views/sessions/sessionsView';
import { focusedRows } from '../session/chosenTargets';

/** What moving rows takes. */
interface MoveServices {
  readonly tree: Pick<SessionsTree, 'isNode'>;
  readonly view: Pick<SessionsView, 'focusedRows' | 'selectedRows' | 'step'>;
}

/**
 * "Move Up" and "Move Down": the chosen rows within their group, or a group among all; from the palette the selected
 * ones.
 */
export async function moveRows(
  { tree, view }: MoveServices,
  argument: unknown,
  selection: unknown,
  by: 'up' | 'down',
): Promise<void> {
  if (argument === focusedRows) {
    return view.step(await view.focusedRows(), by);
  }
  const chosen: readonly unknown[] = Array.isArray(selection) ? selection : [argument];
  const rows = chosen.filter((row): row is SessionsNode => tree.isNode(row));
  await view.step(rows.length === 0 ? view.selectedRows : rows, by);
}
