import type { AgentConnection, SessionUpdateEvent } from '../../protocol/agentConnection';
import type { AgentRequests } from '../../protocol/agentRequests';
import type { RememberedLists } from '../list/rememberedLists';
import type { RememberedSessions } from '../list/rememberedSessions';
import type { SessionListLimits } from '../list/sessionListLimits';
import type { AgentConfig, Log, RealPath, Workspace } from '../ports';
import type { Agent, SessionList } from './agent';

/**
 * Starts an agent and initializes it; `requests` handles the agent's requests. Rejects with `AcpError`,
 * soon after `signal` aborts. `onNoise` receives the first line of text that precedes the agent's first
 * message, if any.
 */
export type Connect = (
  config: AgentConfig,
  requests: AgentRequests,
  signal: AbortSignal,
  onNoise: (line: string) => void,
) => Promise<AgentConnection>;

export interface AgentDependencies {
  readonly workspace: Workspace;
  readonly connect: Connect;
  /** Whether this is the only configured agent. */
  readonly isOnly: () => boolean;
  /** The handlers of an agent's requests. */
  readonly requestsOf: (agent: Agent) => AgentRequests;
  readonly onDidChangeState: (agent: Agent) => void;
  /** Called when pages have changed one of the agent's lists as a whole. */
  readonly onDidList: (list: SessionList) => void;
  /** Called with the updates of the live connection, in order (UP-5). */
  readonly onDidUpdate: (agent: Agent, event: SessionUpdateEvent) => void;
  readonly realPath: RealPath;
  readonly log: Log;
  readonly listLimits: SessionListLimits;
  readonly remembered: Pick<RememberedSessions, 'of'>;
  readonly lists: Pick<RememberedLists, 'of'>;
}
