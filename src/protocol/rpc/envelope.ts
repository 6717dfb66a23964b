import { isObject, type JsonObject, parseJson } from '../../util/json';

/** An agent's JSON-RPC 2.0 message with a validated envelope: a call or an answer (ER-1). */
export type Message = JsonObject & { readonly jsonrpc: '2.0' };

/** Terminal sequences, control characters and byte order marks before a message. */
const leadingNoise =
  /^(?:\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x1a\x1c-\x20\ufeff])+/;

/**
 * The message on a line; `undefined` for anything else, which is noise and never answered (TR-7,
 * T-30): text, scalars, arrays (TR-10), objects that aren't JSON-RPC.
 */
export function parseMessage(line: string): Message | undefined {
  const text = line.startsWith('{') ? line : line.replace(leadingNoise, '');
  if (!text.startsWith('{')) {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isMessage(value) ? value : undefined;
}

/** The messages of a batch on a line; `undefined` unless it is an array of messages and nothing else. */
export function parseBatch(line: string): readonly Message[] | undefined {
  if (!line.startsWith('[')) {
    return undefined;
  }
  const value = parseJson(line);
  return Array.isArray(value) && value.length > 0 && value.every(isMessage) ? value : undefined;
}

function isMessage(value: unknown): value is Message {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') {
    return false;
  }
  const { id } = value;
  if (id !== undefined && !isId(id)) {
    return false;
  }
  return typeof value['method'] === 'string' || (id !== undefined && isAnswer(value));
}

/** Whether a message without a method is an answer to a request, even a malformed one. */
function isAnswer(value: JsonObject): boolean {
  return value['method'] === undefined && ('result' in value || 'error' in value);
}

/** The id of a request or an answer (ER-2). */
export type MessageId = string | number | null;

function isId(id: unknown): id is MessageId {
  return id === null || typeof id === 'string' || Number.isFinite(id);
}
