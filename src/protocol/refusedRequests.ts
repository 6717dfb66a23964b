import type { AgentRequests } from './agentRequests';
import { AcpError } from './errors';

/** Answers to all requests of an agent: each is refused, for this reason in the log. */
export function refusedRequests(reason: string): AgentRequests {
  const refuse = (): Promise<never> => Promise.reject(new AcpError('unsupported', reason));
  return {
    requestPermission: refuse,
    readTextFile: refuse,
    writeTextFile: refuse,
    createTerminal: refuse,
    terminalOutput: refuse,
    waitForTerminalExit: refuse,
    killTerminal: refuse,
    releaseTerminal: refuse,
    elicit: refuse,
    mcpMessage: refuse,
    unknownRequest: () => undefined,
    callNews: () => undefined,
    elicitationCompleted: () => undefined,
    accountChanged: () => undefined,
  };
}
