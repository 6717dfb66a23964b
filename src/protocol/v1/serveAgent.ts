import type { AgentRequests, TerminalExit, TerminalOutput } from '../agentRequests';
import type { Served } from '../protocolVersion';
import { getRefusal } from '../refusal';
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
 * Agents that read a file before they create it, and take any error for a reason not to: they look for words in the
 * text of the error, but their SDK hands on what isn't an `Error` (T-54,
 * https://github.com/google-gemini/gemini-cli/issues/17588). For them, a file that isn't there is empty.
 */
const readingMissing: ReadonlySet<string> = new Set(['gemini-cli']);

/**
 * Serves an agent's requests by method: validates their params, and converts the answers to the
 * protocol's shape. `machine`: see `ClientOffer`.
 */
export function serveAgent(requests: AgentRequests, { machine, agentName }: Served): AgentHandlers {
  const questions = questionHandlers(requests, readPermission);
  return {
    ...questions,
    requests: new Map<string, RequestHandler>([
      ...questions.requests,
      ...(machine ? [...fileHandlers(requests, agentName), ...terminalHandlers(requests)] : []),
    ]),
  };
}

function fileHandlers(
  requests: AgentRequests,
  agentName: string | undefined,
): [string, RequestHandler][] {
  const readsMissing = agentName !== undefined && readingMissing.has(agentName);
  return [
    [
      'fs/read_text_file',
      handler(
        readFileRead,
        async (request, signal) => {
          try {
            return await requests.readTextFile(request, signal);
          } catch (error) {
            if (readsMissing && isMissing(error, request)) {
              return '';
            }
            throw error;
          }
        },
        (content) => ({ content }),
      ),
    ],
    [
      'fs/write_text_file',
      handler(readFileWrite, (request, signal) => requests.writeTextFile(request, signal), nothing),
    ],
  ];
}

function isMissing(error: unknown, request: object): boolean {
  return getRefusal(error, 'fs/read_text_file', request).data.reason === 'resourceNotFound';
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
