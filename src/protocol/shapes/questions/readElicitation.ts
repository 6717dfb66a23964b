import type { ElicitationAsk } from '../../../shared/requests/agentQuestions';
import { asString, isObject, type JsonObject } from '../../../util/json';
import type { ElicitationRequest } from '../../agentRequests';
import { invalid, readObject, stringIn } from '../params';
import { readFormFields } from './readForm';

/**
 * Validates the params of `elicitation/create` (EL-5): in the scope of a session or of another
 * request, and in a mode that this client has advertised (EL-4). Throws `invalidParams` otherwise.
 */
export function readElicitation(params: unknown): ElicitationRequest {
  const request = readObject(params);
  const sessionId = asString(request['sessionId']);
  if (sessionId === undefined && request['requestId'] === undefined) {
    throw invalid('The elicitation belongs to no session and to no request');
  }
  const toolCallId = asString(request['toolCallId']);
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(toolCallId !== undefined && { toolCallId }),
    message: stringIn(request, 'message'),
    ask: readAsk(request),
  };
}

function readAsk(request: JsonObject): ElicitationAsk {
  const { mode, requestedSchema } = request;
  switch (mode) {
    case 'form':
      if (!isObject(requestedSchema)) {
        throw invalid('The form has no schema');
      }
      return { mode, fields: readFormFields(requestedSchema) };
    case 'url':
      return {
        mode,
        url: readUrl(stringIn(request, 'url')),
        elicitationId: stringIn(request, 'elicitationId'),
      };
    default:
      throw invalid('Elicitations of this mode are not supported');
  }
}

/** The URL as it will be opened, so that the user sees exactly what is opened (EL-11). */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw invalid('The address of the elicitation is not a web address');
  }
  return url.href;
}

/** The id in `elicitation/complete` (EL-14); `undefined` if there is none. */
export function readElicitationId(params: unknown): string | undefined {
  return isObject(params) ? asString(params['elicitationId']) : undefined;
}
