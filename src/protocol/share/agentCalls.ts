import { isObject, type JsonObject, picked } from '../../util/json';
import type { WaitingRequests } from './waitingRequests';

/** What an agent may say of no session, and the members of its params that are passed on. */
const withoutSession: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['session/list_changed', []],
  ['_session/list_changed', []],
  ['elicitation/complete', ['elicitationId']],
  ['$/cancel_request', ['requestId']],
]);

/** Those of a request to an MCP server of the client: the agent's process, which is the client's alone, knows no others. */
const ofServer = ['serverId', 'requestId', 'method', 'params'];

/**
 * An agent's request or notification as its client may see it; `undefined` if it isn't about sessions that are shared,
 * nor about one of the requests to the agent that wait for an answer.
 */
export function callForClient(
  message: JsonObject,
  isShared: (sessionId: string) => boolean,
  waiting: WaitingRequests,
): JsonObject | undefined {
  const { id, method } = message;
  const params = isObject(message['params']) ? message['params'] : {};
  if (params['sessionId'] !== undefined) {
    const isAllShared = sessionsIn(params).every((one) => typeof one === 'string' && isShared(one));
    return isAllShared ? message : undefined;
  }
  if (id === undefined) {
    const members = withoutSession.get(method);
    return members && { jsonrpc: '2.0', method, params: picked(params, members) };
  }
  if (method === 'mcp/message') {
    return { jsonrpc: '2.0', id, method, params: picked(params, ofServer) };
  }
  const asked = method === 'elicitation/create' ? waiting.get(params['requestId']) : undefined;
  return asked && { ...message, params: { ...params, requestId: asked.id } };
}

/** The session, and those between which an update passes on a message. */
function sessionsIn({ sessionId, update }: JsonObject): readonly unknown[] {
  const { senderSessionId, recipientSessionId } = isObject(update) ? update : {};
  return [sessionId, senderSessionId ?? undefined, recipientSessionId ?? undefined].filter(
    (one) => one !== undefined,
  );
}
