import type { SessionsTree } from '../../views/sessions/nodes/tree';

/**
 * Retries the failure that a message of the tree reports; without a message, all lists that have
 * failed.
 */
export async function retryList(tree: SessionsTree, argument: unknown): Promise<void> {
  if (!tree.isNode(argument) || argument.kind !== 'message') {
    const failed = tree.lists.filter(
      ({ agent, state, stale }) =>
        agent.state.kind === 'failed' || state.kind === 'failed' || stale !== undefined,
    );
    await Promise.all(failed.map((list) => list.refresh()));
    return;
  }
  const { list, message } = argument;
  if (message.kind === 'moreFailed' || message.kind === 'moreStopped') {
    await list.loadMore();
  } else {
    await list.refresh();
  }
}
