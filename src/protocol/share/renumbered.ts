import { isObject, type JsonObject } from '../../util/json';
import { isRequestId } from '../requestId';
import type { Refusal } from './clientMessages';
import { sessionIdIn } from './sessionIds';
import type { WaitingRequest, WaitingRequests } from './waitingRequests';

/** What becomes of a message: passed on, with the request that it is or answers; refused; or of no concern to anybody. */
type Renumbered =
  | { readonly message: JsonObject; readonly request?: WaitingRequest }
  | Refusal
  | { readonly dropped: string };

const invalidRequest = -32600;

/**
 * A message as the receiver gets it, with ids of this side's own: a request has the next number, an answer the id of
 * the request that waits for it. `own` are the requests of the sender, `others` those of the receiver.
 */
export function renumbered(
  message: JsonObject,
  own: WaitingRequests,
  others: WaitingRequests,
): Renumbered {
  const { id, method, params } = message;
  if (typeof method !== 'string') {
    const request = others.answered(id);
    return request === undefined
      ? { dropped: 'an answer that no request waits for' }
      : { message: { ...message, id: request.id }, request };
  }
  if (id === undefined) {
    return method === '$/cancel_request' ? cancelling(message, own) : { message };
  }
  if (!isRequestId(id)) {
    return { refused: 'The id of this request is too long', code: invalidRequest, id: null };
  }
  const request = { id, method, sessionId: sessionIdIn(params) };
  const number = own.add(request);
  return typeof number === 'number'
    ? { message: { ...message, id: number }, request }
    : { refused: number, code: invalidRequest, id };
}

function cancelling(message: JsonObject, own: WaitingRequests): Renumbered {
  const { params } = message;
  const requestId = isObject(params) ? own.findNumber(params['requestId']) : undefined;
  return requestId === undefined
    ? { dropped: 'a cancellation of a request that doesn’t wait' }
    : { message: { ...message, params: { requestId } } };
}
