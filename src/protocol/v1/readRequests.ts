import path from 'node:path';
import { asString, isObject, type JsonObject } from '../../util/json';
import type {
  CreateTerminalRequest,
  McpServerOfCall,
  PermissionRequest,
  ReadRequest,
  TerminalRef,
  WriteRequest,
} from '../agentRequests';
import { boundedName } from '../bounds';
import { checkCommand, checkCommandLists } from '../commandBounds';
import { invalid, readObject, readString, stringIn } from '../shapes/params';
import { readPermissionOptions } from '../shapes/questions/permissionOptions';
import { normaliseToolCall } from './normaliseToolCall';

/** Validate the params of an agent's requests; unusable ones throw `invalidParams`. */

/** Params of `session/request_permission` (PE-2). */
export function readPermission(params: unknown): PermissionRequest {
  const request = readObject(params);
  const sessionId = stringIn(request, 'sessionId');
  const toolCall = isObject(request['toolCall'])
    ? normaliseToolCall(request['toolCall'])
    : undefined;
  if (!toolCall) {
    throw invalid('The permission is for no tool call');
  }
  const mcpServer = readMcpServer(request['toolCall']);
  return {
    sessionId,
    toolCall,
    options: readPermissionOptions(request['options']),
    ...(mcpServer && { mcpServer }),
  };
}

/** Claude calls servers `dynamic` that it was given with the session. */
function readMcpServer(toolCall: unknown): McpServerOfCall | undefined {
  const meta = isObject(toolCall) ? toolCall['_meta'] : undefined;
  const claude = isObject(meta) ? meta['claudeCode'] : undefined;
  const server = isObject(claude) ? claude['mcpServer'] : undefined;
  const name = isObject(server) ? asString(server['name']) : undefined;
  return !isObject(server) || name === undefined
    ? undefined
    : { name: boundedName(name), isGiven: server['source'] === 'dynamic' };
}

/** Params of `fs/read_text_file` (FS-2). */
export function readFileRead(params: unknown): ReadRequest {
  const request = readObject(params);
  const line = optionalNumber(request, 'line');
  const limit = optionalNumber(request, 'limit');
  return {
    sessionId: stringIn(request, 'sessionId'),
    path: absolutePathIn(request, 'path'),
    ...(line !== undefined && { line }),
    ...(limit !== undefined && { limit }),
  };
}

/** Params of `fs/write_text_file` (FS-3). */
export function readFileWrite(params: unknown): WriteRequest {
  const request = readObject(params);
  return {
    sessionId: stringIn(request, 'sessionId'),
    path: absolutePathIn(request, 'path'),
    content: stringIn(request, 'content'),
  };
}

/**
 * Params of `terminal/create` (TE-2). Nothing is guessed: a single malformed argument prevents the
 * command from running.
 */
export function readTerminalCreation(params: unknown): CreateTerminalRequest {
  const request = readObject(params);
  const command = stringIn(request, 'command');
  if (command === '') {
    throw invalid('The command is empty');
  }
  const limit = optionalNumber(request, 'outputByteLimit');
  if (limit !== undefined && limit < 0) {
    throw invalid('outputByteLimit is less than nothing');
  }
  const hasCwd = request['cwd'] !== undefined && request['cwd'] !== null;
  const [args, env] = [listIn(request, 'args'), listIn(request, 'env')];
  checkCommandLists(args, env);
  const creation = {
    sessionId: stringIn(request, 'sessionId'),
    command,
    args: args.map((item) => readString(item, 'args')),
    env: Object.fromEntries(env.map(readVariable)),
    ...(hasCwd && { cwd: absolutePathIn(request, 'cwd') }),
    ...(limit !== undefined && { outputByteLimit: limit }),
  };
  checkCommand(creation);
  return creation;
}

function readVariable(value: unknown): [string, string] {
  const variable = readObject(value);
  return [stringIn(variable, 'name'), stringIn(variable, 'value')];
}

export function readTerminalRef(params: unknown): TerminalRef {
  const request = readObject(params);
  return {
    sessionId: stringIn(request, 'sessionId'),
    terminalId: stringIn(request, 'terminalId'),
  };
}

/** An absolute path (TR-11) by the rules of this machine, on which it will be used. */
function absolutePathIn(request: JsonObject, key: string): string {
  const file = stringIn(request, key);
  if (!path.isAbsolute(file) || file.includes('\0')) {
    throw invalid(`${key} is not an absolute path: ${JSON.stringify(file.slice(0, 200))}`);
  }
  return file;
}

function optionalNumber(request: JsonObject, key: string): number | undefined {
  const value = request[key] ?? undefined;
  if (value !== undefined && !Number.isSafeInteger(value)) {
    throw invalid(`${key} is not a whole number`);
  }
  return value as number | undefined;
}

/** A list; absent and `null` count as empty. */
function listIn(request: JsonObject, key: string): readonly unknown[] {
  const value = request[key] ?? [];
  if (!Array.isArray(value)) {
    throw invalid(`${key} is not a list`);
  }
  return value;
}
