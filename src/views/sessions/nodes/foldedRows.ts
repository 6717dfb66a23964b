import type { SessionList } from '../../../model/agent';
import type { SessionsNode } from './nodes';
import type { SessionsTree } from './tree';

/**
 * Makes the row of a session that was begun below a folded node, such as that of a new worktree: nobody has asked for
 * the node's children yet. Looks into the nodes above the row only.
 */
export function makeFoldedRow(tree: SessionsTree, agentId: string, sessionId: string): void {
  const list = tree.lists.find(
    (each) => each.agent.id === agentId && each.find(sessionId) !== undefined,
  );
  let above: SessionsNode | undefined;
  while (list !== undefined && tree.sessionNodes(agentId, sessionId).length === 0) {
    above = tree.look(above).find((node) => isAbove(tree, node, list));
    if (above === undefined) {
      return;
    }
  }
}

function isAbove(tree: SessionsTree, node: SessionsNode, list: SessionList): boolean {
  switch (node.kind) {
    case 'agent':
      return node.agent === list.agent;
    case 'folder':
      return tree.listsBelow(node).includes(list);
    case 'worktree':
    case 'moved':
      return node.list === list;
    default:
      return false;
  }
}
