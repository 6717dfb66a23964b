import type { SessionUpdateEvent } from '../../protocol/agentConnection';
import type { AgentRequests } from '../../protocol/agentRequests';
import type { Agent, SessionList } from '../agent';
import type { SessionListLimits } from '../list/folderListings';
import type { RememberedLists } from '../list/rememberedLists';
import type { RememberedSessions } from '../list/rememberedSessions';
import type { Log, RealPath, Workspace } from '../ports';
import type { Connect } from './connect';

export interface AgentDependencies {
  readonly workspace: Workspace;
  readonly connect: Connect;
  /** The name of an agent with what tells it from others of the same name; `undefined`: it isn't among them yet. */
  readonly titleOf: (agent: Agent) => string | undefined;
  /** Whether this is the only configured agent. */
  readonly isOnly: () => boolean;
  /** The handlers of an agent's requests. */
  readonly requestsOf: (agent: Agent) => AgentRequests;
  /** The agent that has taken its place; the agent itself as long as none has. */
  readonly successorOf: (agent: Agent) => Agent | undefined;
  readonly onDidChangeState: (agent: Agent) => void;
  /** Called when an agent runs again after a restart. */
  readonly onDidRestart: (agent: Agent) => void;
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
