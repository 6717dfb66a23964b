import type { AgentRequests } from '../../protocol/agentRequests';
import { AcpError } from '../../protocol/errors';

const refuse = (): Promise<never> =>
  Promise.reject(new AcpError('unsupported', 'Nothing is done for an agent that is only tried'));

/** The agent is told that requests are answered, as in a real start, but none is. */
export const refusals: AgentRequests = {
  requestPermission: refuse,
  readTextFile: refuse,
  writeTextFile: refuse,
  createTerminal: refuse,
  terminalOutput: refuse,
  waitForTerminalExit: refuse,
  killTerminal: refuse,
  releaseTerminal: refuse,
  elicit: refuse,
  elicitationCompleted: () => undefined,
};
