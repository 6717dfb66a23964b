import { isObject } from '../../util/json';
import type { McpRequest } from '../agentRequests';
import { boundedJson, maxId } from '../bounds';
import { invalid, readObject, stringIn } from './params';

/** UTF-16 units of the params as JSON: as much as an MCP server over HTTP takes. */
const maxParams = 1_000_000;
/** UTF-16 units of a method's name. */
const maxMethod = 200;

/** Params of `mcp/message`; throws `invalidParams`. Nothing is cut: a request is taken whole, or not at all. */
export function readMcpMessage(params: unknown): McpRequest {
  const request = readObject(params);
  const serverId = stringIn(request, 'serverId');
  const requestId = stringIn(request, 'requestId');
  const method = stringIn(request, 'method');
  if (requestId.length > maxId || method.length > maxMethod) {
    throw invalid('requestId or method is too long');
  }
  const inner = request['params'] ?? undefined;
  if (inner === undefined) {
    return { serverId, requestId, method };
  }
  if (!isObject(inner)) {
    throw invalid('params is not an object');
  }
  // What is nested too deeply couldn't even be measured.
  if (boundedJson(inner) !== inner || JSON.stringify(inner).length > maxParams) {
    throw invalid('params is too large');
  }
  return { serverId, requestId, method, params: inner };
}
