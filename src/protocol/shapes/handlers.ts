import { deferred } from '../../util/async';
import { asString, isObject } from '../../util/json';
import type {
  AgentRequests,
  ElicitationAnswer,
  ElicitationRequest,
  PermissionAnswer,
  PermissionRequest,
  UnknownRequest,
} from '../agentRequests';
import { boundedId, boundedName, isSessionId, rawForm } from '../bounds';
import { AcpError } from '../errors';
import type { AgentHandlers, RequestHandler } from '../rpc/agentRpc';
import { cursorRequests } from './questions/cursorRequests';
import { readElicitation, readElicitationId } from './questions/readElicitation';
import { xaiRequests } from './questions/xaiRequests';
import { readAuthStatus, readDraftedStatus } from './readAccount';
import { readMcpMessage } from './readMcpMessage';
import { cursorNews } from './updates/cursorNews';

/**
 * The handlers for when there is no user to ask: a permission request is answered with `cancelled`,
 * which never allows anything (PE-1, PE-7), and no other request is accepted.
 */
export const unattended: AgentHandlers = {
  requests: new Map([['session/request_permission', () => permissionAnswer(undefined)]]),
  notifications: new Map(),
};

/** Requests that agents make all the time and do without: Qwen asks with each turn what was typed into it. */
const unshown: ReadonlySet<string> = new Set(['craft/drainMidTurnQueue']);

function readUnknownRequest(method: string, params: unknown): UnknownRequest {
  const named = isObject(params) ? params : {};
  const sessionId = asString(named['sessionId']);
  const toolCallId = asString(named['toolCallId']);
  return {
    method: boundedName(method),
    ...(sessionId !== undefined && isSessionId(sessionId) && { sessionId }),
    ...(toolCallId !== undefined && { toolCallId: boundedId(toolCallId) }),
    raw: rawForm(params ?? null),
  };
}

/** Serves what agents of every version ask the user; `readPermission` throws for unusable params. */
export function questionHandlers(
  requests: AgentRequests,
  readPermission: (params: unknown) => PermissionRequest,
): AgentHandlers {
  const news = cursorNews(requests);
  return {
    unknown: (method, params) => {
      const isShown = !unshown.has(method);
      if (isShown) {
        requests.unknownRequest(readUnknownRequest(method, params));
      }
      return isShown;
    },
    requests: new Map<string, RequestHandler>([
      ['session/request_permission', permissionHandler(requests, readPermission)],
      [
        'elicitation/create',
        handler(readElicitation, (request, signal) => requests.elicit(request, signal), elicited),
      ],
      [
        'mcp/message',
        handler(
          readMcpMessage,
          (request, signal) => requests.mcpMessage(request, signal),
          (outcome) => outcome,
        ),
      ],
      ...cursorRequests(requests, handler),
      ...news.requests,
      ...xaiRequests(requests, handler),
    ]),
    notifications: new Map([
      ...news.notifications,
      [
        'elicitation/complete',
        (params) => {
          const elicitationId = readElicitationId(params);
          if (elicitationId !== undefined) {
            requests.elicitationCompleted(elicitationId);
          }
        },
      ],
      ['_auth/status_update', (params) => requests.accountChanged(readAuthStatus(params))],
      ['auth/status_update', (params) => requests.accountChanged(readDraftedStatus(params))],
    ]),
  };
}

/**
 * Only an offered option counts as a choice (PE-3); a request canceled by the agent is answered
 * with `cancelled` (PE-4).
 */
function permissionHandler(
  requests: AgentRequests,
  readPermission: (params: unknown) => PermissionRequest,
): RequestHandler {
  return async (params, signal) => {
    const request = readPermission(params);
    try {
      const answer = await whileWanted(signal, () => requests.requestPermission(request, signal));
      const isOffered = request.options.some((option) => option.optionId === answer?.optionId);
      return permissionAnswer(isOffered ? answer : undefined);
    } catch (error) {
      if (error instanceof AcpError && error.code === 'cancelled') {
        return permissionAnswer(undefined);
      }
      throw error;
    }
  };
}

function permissionAnswer(answer: PermissionAnswer): object {
  return answer
    ? { outcome: { outcome: 'selected', optionId: answer.optionId } }
    : { outcome: { outcome: 'cancelled' } };
}

/** A handler that reads the params, and converts the answer to the protocol's shape. */
export function handler<Request, Result>(
  read: (params: unknown) => Request,
  serve: (request: Request, signal: AbortSignal) => Promise<Result>,
  write: (result: Result, request: Request) => object,
): RequestHandler {
  return async (params, signal) => {
    const request = read(params);
    return write(await whileWanted(signal, () => serve(request, signal)), request);
  };
}

/** Settles like `serve`, or rejects with `cancelled` as soon as the agent no longer waits (CA-7). */
async function whileWanted<T>(signal: AbortSignal, serve: () => Promise<T>): Promise<T> {
  const takenBack = deferred<never>();
  const onAbort = (): void => takenBack.reject(new AcpError('cancelled', 'It was taken back'));
  if (signal.aborted) {
    onAbort();
    return takenBack.promise;
  }
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([serve(), takenBack.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The answer to a question; only an accepted form has values (EL-10, EL-18). */
function elicited(answer: ElicitationAnswer, { ask }: ElicitationRequest): object {
  return answer.action === 'accept' && ask.mode === 'form'
    ? { action: 'accept', content: answer.values ?? {} }
    : { action: answer.action };
}
