import { asString, isObject, type JsonObject } from '../../util/json';
import { boundedBase64, boundedId, boundedTitle } from '../bounds';
import { readCanCancel } from '../shapes/agentInfo';
import { isStringOrNull, pathIn } from '../shapes/normaliseContent';
import type { Unusable } from '../shapes/updates/readEvent';
import type { AgentTerminalPatch, SessionUpdate } from '../updates';

/** `terminal_update`: a patch in which `null` clears a field (V2-TERM-1). */
export function readTerminalUpdate(update: JsonObject): SessionUpdate | Unusable {
  const terminalId = asString(update['terminalId']);
  if (terminalId === undefined) {
    return 'terminal_update without an id';
  }
  const { command } = update;
  const cwd = update['cwd'] === null ? null : pathIn(update, 'cwd');
  const output = readOutput(update['output']);
  const size = readSize(update['size']);
  const exit = readExit(update['exitStatus']);
  return {
    sessionUpdate: 'terminal_update',
    terminalId: boundedId(terminalId),
    ...(isStringOrNull(command) && { command: command && boundedTitle(command) }),
    ...(cwd !== undefined && { cwd }),
    ...(output !== undefined && { output }),
    ...(size !== undefined && { size }),
    ...(exit !== undefined && { exit }),
    ...readCanCancel(update),
  };
}

/** `terminal_output_chunk`, which comes as often as chunks of messages. */
export function readTerminalChunk(update: JsonObject): SessionUpdate | Unusable {
  const { terminalId, data } = update;
  return typeof terminalId !== 'string' || typeof data !== 'string'
    ? 'terminal_output_chunk without id or data'
    : {
        sessionUpdate: 'terminal_output_chunk',
        terminalId: boundedId(terminalId),
        data: boundedBase64(data),
      };
}

/** The whole output so far (V2-TERM-2). */
function readOutput(value: unknown): string | null | undefined {
  if (value === null) {
    return null;
  }
  const data = isObject(value) ? asString(value['data']) : undefined;
  return data === undefined ? undefined : boundedBase64(data);
}

function readSize(value: unknown): AgentTerminalPatch['size'] {
  if (!isObject(value)) {
    return value === null ? null : undefined;
  }
  const { cols: columns, rows } = value;
  return isCount(columns) && isCount(rows) ? { columns, rows } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** An object says that the terminal has exited, whatever is in it (V2-TERM-5). */
function readExit(value: unknown): AgentTerminalPatch['exit'] {
  if (!isObject(value)) {
    return value === null ? null : undefined;
  }
  const { exitCode, signal } = value;
  return {
    exitCode: Number.isInteger(exitCode) ? (exitCode as number) : null,
    signal: typeof signal === 'string' ? boundedTitle(signal) : null,
  };
}
