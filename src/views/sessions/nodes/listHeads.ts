import type { SessionList } from '../../../model/agent';
import type { WorkspaceFolder } from '../../../model/ports';
import type { ListMessage, ListParent } from './nodes';

type LoadingKind = 'loading' | 'starting' | 'fetching' | 'waiting';

/** What a list is waiting for. */
export function loadingKind({ agent: { state } }: SessionList): LoadingKind {
  if (state.kind === 'ready') {
    return 'loading';
  }
  if (state.kind === 'starting' && state.waits === true) {
    return 'waiting';
  }
  return state.kind === 'starting' && state.fetches === true ? 'fetching' : 'starting';
}

/** Whether the agent's row is above, and says what is wrong with the agent as a whole. */
export function hasAgentRow(parent: ListParent): boolean {
  return parent !== undefined && (parent.kind === 'agent' || hasAgentRow(parent.parent));
}

/** The message above a list's rows, or instead of them. `agentShows`: the agent's row is above. */
export function findHead(
  list: SessionList,
  hasRows: boolean,
  agentShows: boolean,
): ListMessage | undefined {
  const { agent, state, stale } = list;
  const { signInNeeded } = agent;
  const works = agent.state.kind === 'ready' && state.kind !== 'failed';
  if (works && signInNeeded !== undefined && !agentShows) {
    return { kind: 'signIn', failure: signInNeeded };
  }
  if (agent.state.kind === 'starting' && agent.state.prints !== undefined) {
    return { kind: 'notAcp', line: agent.state.prints };
  }
  if (hasRows) {
    if (agent.state.kind === 'failed') {
      return { kind: 'failed', failure: agent.state.failure };
    }
    if (state.kind === 'failed') {
      return { kind: 'failed', failure: state.failure };
    }
    return stale === undefined ? undefined : { kind: 'stale', failure: stale };
  }
  switch (state.kind) {
    case 'unread':
      return agent.state.kind === 'failed'
        ? { kind: 'failed', failure: agent.state.failure }
        : { kind: 'stopped' };
    case 'loading':
      return { kind: loadingKind(list) };
    case 'unsupported':
      return { kind: 'unsupported' };
    case 'failed':
      return { kind: 'failed', failure: state.failure };
    case 'loaded':
      return list.older.kind === 'none' ? { kind: 'empty' } : undefined;
  }
}

/** Whether it is the list of a workspace folder, or of all: not that of another worktree, or of a folder that moved. */
export function isMainList(
  { folder }: Pick<SessionList, 'folder'>,
  folders: readonly WorkspaceFolder[],
): boolean {
  return folder === undefined || folders.some(({ path }) => path === folder.path);
}
