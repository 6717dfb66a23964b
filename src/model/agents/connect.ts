import type { AgentConnection } from '../../protocol/agentConnection';
import type { AgentRequests } from '../../protocol/agentRequests';
import type { AgentConfig } from '../ports';

/**
 * Starts an agent and initializes it; `requests` handles the agent's requests. Rejects with `AcpError`,
 * soon after `signal` aborts.
 */
export type Connect = (
  config: AgentConfig,
  requests: AgentRequests,
  signal: AbortSignal,
  signs: StartSigns,
  watch?: StartWatch,
) => Promise<AgentConnection>;

/** What is shown of a start while it lasts. */
export interface StartSigns {
  /** Receives the first line of text that precedes the agent's first message, if any. */
  readonly onNoise?: (line: string) => void;
  /** Receives whether the command still fetches the agent's program, if it is one that does so. */
  readonly onFetching?: (isFetching: boolean) => void;
  /** Receives whether the start waits for another one that fetches the same program. */
  readonly onWaiting?: (isWaiting: boolean) => void;
}

/** What a start tells while it lasts, for a diagnosis. */
interface StartWatch {
  /** The process runs. */
  onStarted(): void;
  /** A line that isn't a message, without the keys that the agent was given; bounded in length and rate. */
  onPrint(line: string, from: 'stdout' | 'stderr'): void;
}
