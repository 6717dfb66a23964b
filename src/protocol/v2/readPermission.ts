import { randomUUID } from 'node:crypto';
import { asString, isObject, type JsonObject } from '../../util/json';
import type { PermissionRequest } from '../agentRequests';
import { boundedId, boundedText, boundedTitle } from '../bounds';
import { invalid, readObject, stringIn } from '../shapes/params';
import { readPermissionOptions } from '../shapes/questions/permissionOptions';
import type { ToolCallPatch } from '../updates';
import { normaliseToolCall } from './normaliseToolCall';

/** UTF-16 units of the explanation, which stands beside the buttons. */
const maxDescription = 10_000;

/**
 * Params of `session/request_permission`. The question has words of its own, which change nothing of the call that it
 * may be about (V2-PERM-1); unusable params throw `invalidParams`.
 */
export function readPermission(params: unknown): PermissionRequest {
  const request = readObject(params);
  const title = boundedTitle(asString(request['title']) ?? '');
  const description = boundedText(asString(request['description']) ?? '', maxDescription);
  return {
    sessionId: stringIn(request, 'sessionId'),
    ...readSubject(request['subject'], title),
    options: readPermissionOptions(request['options']),
    ...(title !== '' && { title }),
    ...(description !== '' && { description }),
  };
}

/** What the question is about. Without a subject, or with one that isn't known, it is the question itself (V2-PERM-4). */
function readSubject(
  value: unknown,
  title: string,
): Pick<PermissionRequest, 'toolCall' | 'isNoCall'> {
  const subject = isObject(value) ? value : {};
  switch (subject['type']) {
    case 'tool_call':
      return { toolCall: readCall(subject['toolCall']) };
    case 'command':
      return { toolCall: readCommand(subject), isNoCall: true };
    default:
      return {
        toolCall: { toolCallId: ownId(), kind: 'other', ...(title !== '' && { title }) },
        isNoCall: true,
      };
  }
}

function readCall(value: unknown): ToolCallPatch {
  const toolCall = isObject(value) ? normaliseToolCall(value) : undefined;
  if (!toolCall) {
    throw invalid('The permission is for no tool call');
  }
  return toolCall;
}

/** A command that the agent would run (V2-PERM-3). */
function readCommand(subject: JsonObject): ToolCallPatch {
  const command = boundedText(stringIn(subject, 'command'));
  const cwd = asString(subject['cwd']);
  const toolCallId = asString(subject['toolCallId']);
  return {
    toolCallId: toolCallId === undefined ? ownId() : boundedId(toolCallId),
    kind: 'execute',
    title: boundedTitle(command),
    rawInput: { command, ...(cwd !== undefined && { cwd: boundedTitle(cwd) }) },
  };
}

/** An id that no call of the agent has. */
function ownId(): string {
  return `permission:${randomUUID()}`;
}
