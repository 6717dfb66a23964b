import type { AgentRequests } from '../../protocol/agentRequests';
import { AcpError } from '../../protocol/errors';
import { refusedRequests } from '../../protocol/refusedRequests';

const reason = 'Nothing is done for an agent that is only tried';
const refuse = (): Promise<never> => Promise.reject(new AcpError('unsupported', reason));

/** The agent is told that requests are answered, as in a real start, but none is. */
export const refusals: AgentRequests = {
  ...refusedRequests(reason),
  requestPermission: refuse,
  elicit: refuse,
  elicitationCompleted: () => undefined,
};
