import type { Worktree } from '../../../../../src/model/places/worktrees';
import type { SessionsNode } from '../../../../../src/views/sessions/nodes/nodes';
import type { SessionsTree } from '../../../../../src/views/sessions/nodes/tree';

/** The tree as indented ids; an `older` node is not expanded, because that loads a page. */
export function outline(tree: SessionsTree, node?: SessionsNode, indent = ''): string[] {
  return tree
    .children(node)
    .flatMap((child) => [
      indent + shortId(child),
      ...(child.kind === 'older' ? [] : outline(tree, child, `${indent}  `)),
    ]);
}

export function shortId(node: SessionsNode): string {
  switch (node.kind) {
    case 'agent':
      return `${node.isLine ? 'line' : 'agent'} ${node.agent.id}`;
    case 'folder':
      return `folder ${node.folder.name}`;
    case 'worktree':
      return `worktree ${node.worktree.branch}`;
    case 'moved':
      return `moved ${node.from}`;
    case 'group':
      return `group ${node.group.key}`;
    case 'session':
      return node.row.info.sessionId;
    case 'subagent':
      return `subagent ${node.subagent.title}`;
    case 'older':
      return 'older';
    case 'filter':
      return 'filter';
    case 'problem':
      return `problem ${node.problem.id}`;
    case 'message':
      return `message ${node.message.kind}`;
  }
}

export function worktree(path: string, branch: string): Worktree {
  return { path, branch, isMain: false };
}

export async function nextChange(tree: SessionsTree): Promise<readonly SessionsNode[] | undefined> {
  return new Promise((resolve) => {
    const listener = tree.onDidChange((nodes) => {
      listener.dispose();
      resolve(nodes);
    });
  });
}
