import type { AgentRequests, TerminalExit, TerminalOutput } from '../agentRequests';
import type { AgentHandlers, RequestHandler } from '../rpc/agentRpc';
import { handler, questionHandlers } from '../shapes/handlers';
import {
  readFileRead,
  readFileWrite,
  readPermission,
  readTerminalCreation,
  readTerminalRef,
} from './readRequests';

/**
 * Serves an agent's requests by method: validates their params, and converts the answers to the
 * protocol's shape. `machine`: see `ClientOffer`.
 */
export function serveAgent(requests: AgentRequests, machine: boolean): AgentHandlers {
  const questions = questionHandlers(requests, readPermission);
  return {
    requests: new Map<string, RequestHandler>([
      ...questions.requests,
      ...(machine ? [...fileHandlers(requests), ...terminalHandlers(requests)] : []),
    ]),
    notifications: questions.notifications,
  };
}

function fileHandlers(requests: AgentRequests): [string, RequestHandler][] {
  return [
    [
      'fs/read_text_file',
      handler(
        readFileRead,
        (request, signal) => requests.readTextFile(request, signal),
        (content) => ({ content }),
      ),
    ],
    [
      'fs/write_text_file',
      handler(readFileWrite, (request, signal) => requests.writeTextFile(request, signal), nothing),
    ],
  ];
}

function terminalHandlers(requests: AgentRequests): [string, RequestHandler][] {
  return [
    [
      'terminal/create',
      handler(
        readTerminalCreation,
        (request, signal) => requests.createTerminal(request, signal),
        (terminalId) => ({ terminalId }),
      ),
    ],
    [
      'terminal/output',
      handler(readTerminalRef, (ref) => requests.terminalOutput(ref), terminalOutput),
    ],
    [
      'terminal/wait_for_exit',
      handler(readTerminalRef, (ref, signal) => requests.waitForTerminalExit(ref, signal), exit),
    ],
    ['terminal/kill', handler(readTerminalRef, (ref) => requests.killTerminal(ref), nothing)],
    ['terminal/release', handler(readTerminalRef, (ref) => requests.releaseTerminal(ref), nothing)],
  ];
}

function nothing(): object {
  return {};
}

/** The exit status is only set once the command has ended (TE-4). */
function terminalOutput({ output, truncated, exitStatus }: TerminalOutput): object {
  return { output, truncated, ...(exitStatus && { exitStatus: exit(exitStatus) }) };
}

/** How a command ended (TE-5). */
function exit({ exitCode, signal }: TerminalExit): object {
  return { exitCode, signal };
}
