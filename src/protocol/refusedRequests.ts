import type { AgentRequests } from './agentRequests';
import { AcpError } from './errors';

/** Answers to all requests for files and terminals of this machine: each is refused, for this reason in the log. */
export function refusedRequests(
  reason: string,
): Omit<AgentRequests, 'requestPermission' | 'elicit' | 'elicitationCompleted'> {
  const refuse = (): Promise<never> => Promise.reject(new AcpError('unsupported', reason));
  return {
    readTextFile: refuse,
    writeTextFile: refuse,
    createTerminal: refuse,
    terminalOutput: refuse,
    waitForTerminalExit: refuse,
    killTerminal: refuse,
    releaseTerminal: refuse,
  };
}
