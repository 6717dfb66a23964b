import * as vscode from 'vscode';
import type { OwnGroups } from '../../model/marks/ownGroups';
import { viewIds } from '../../platform/ids';
import { type Drop, findDrop, findStep } from './nodes/drops';
import type { SessionsNode } from './nodes/nodes';
import type { SessionChoices } from './nodes/sessionChoices';
import type { SessionsTree } from './nodes/tree';

/** The type under which VS Code lets a view's own rows be dropped there. */
const rowsType = `application/vnd.code.tree.${viewIds.sessions.toLowerCase()}`;

/** Moves rows and groups in the view, with the mouse and by keys. Only the user's own groups have an order to change. */
export class RowDrops implements vscode.TreeDragAndDropController<SessionsNode> {
  readonly #tree: Pick<SessionsTree, 'inOrder' | 'isNode'>;
  readonly #groups: OwnGroups;
  readonly #choices: Pick<SessionChoices, 'grouping'>;
  readonly dragMimeTypes = [rowsType];
  readonly dropMimeTypes = [rowsType];

  constructor(
    tree: Pick<SessionsTree, 'inOrder' | 'isNode'>,
    groups: OwnGroups,
    choices: Pick<SessionChoices, 'grouping'>,
  ) {
    this.#tree = tree;
    this.#groups = groups;
    this.#choices = choices;
  }

  handleDrag(source: readonly SessionsNode[], transfer: vscode.DataTransfer): void {
    transfer.set(rowsType, new vscode.DataTransferItem([...source]));
  }

  async handleDrop(target: SessionsNode | undefined, transfer: vscode.DataTransfer): Promise<void> {
    // Whatever else comes under this type is no row of the tree.
    const dropped: unknown = transfer.get(rowsType)?.value;
    const rows = Array.isArray(dropped) ? dropped.filter((row) => this.#tree.isNode(row)) : [];
    if (this.#choices.grouping === 'own') {
      await this.#apply(findDrop(this.#tree.inOrder(rows), target, this.#ids));
    }
  }

  /** Moves rows of one group, or a group, by one place. */
  async step(rows: readonly SessionsNode[], by: 'up' | 'down'): Promise<void> {
    await this.#apply(findStep(rows, by, this.#ids));
  }

  get #ids(): readonly string[] {
    return this.#groups.all.map(({ id }) => id);
  }

  async #apply(drop: Drop | undefined): Promise<void> {
    switch (drop?.kind) {
      case undefined:
        return;
      case 'put':
        return this.#groups.put(drop.sessions, drop.group, drop.before);
      case 'take':
        return this.#groups.take(drop.sessions);
      case 'move':
        return this.#groups.move(drop.group, drop.before);
    }
  }
}
