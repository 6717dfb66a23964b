import { isObject, type JsonObject } from '../../util/json';
import { hidden, namesSecret, withoutSecrets } from '../../util/secretText';

/** Receives a connection's messages; costs nothing while disabled. */
export interface TrafficLog {
  readonly enabled: boolean;
  /** `text` is the message as JSON, with secrets replaced and long values shortened. */
  write(direction: 'fromAgent' | 'toAgent', text: string): void;
}

const maxString = 200;
const maxItems = 50;
/** JSON may be nested more deeply than the stack allows. */
const maxDepth = 20;

/** Everything below these keys may be a secret (T-35, MCP-7): names are kept, values are replaced. */
const secretKeys: ReadonlySet<string> = new Set(['env', 'headers', 'args', 'url', '_meta']);

/**
 * Members of params or results that hold the user's data: the text of a file, the output of a
 * command, the values of a form (T-35, EL-17).
 */
const privateKeys: ReadonlySet<string> = new Set(['content', 'output']);

/** The message as a single line of JSON without secrets, for a log that users attach to bug reports. */
export function redactedText(message: unknown): string {
  return JSON.stringify(redact(isObject(message) ? withoutPrivate(message) : message, false, 0));
}

function withoutPrivate(message: JsonObject): JsonObject {
  const { params, result } = message;
  return {
    ...message,
    ...(isObject(params) && { params: hidePrivate(params) }),
    ...(isObject(result) && { result: hidePrivate(result) }),
  };
}

function hidePrivate(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, privateKeys.has(key) ? blank(item) : item]),
  );
}

/** The structure of a value, without its texts. */
function blank(value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.keys(value).map((key) => [key, hidden]))
    : hidden;
}

function redact(value: unknown, secret: boolean, depth: number): unknown {
  if (depth > maxDepth) {
    return '…';
  }
  if (typeof value === 'string') {
    return secret ? hidden : shortened(value);
  }
  if (Array.isArray(value)) {
    const items = value
      .slice(0, maxItems)
      .map((item: unknown, at) => redact(item, secret || namesSecret(value[at - 1]), depth + 1));
    return value.length > maxItems ? [...items, `… (${value.length} items)`] : items;
  }
  if (isObject(value)) {
    // In a list of `{ name, value }` pairs, the name only identifies the secret.
    const isPair = secret && typeof value['name'] === 'string' && 'value' in value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        redact(item, (secret && !(isPair && key === 'name')) || secretKeys.has(key), depth + 1),
      ]),
    );
  }
  return secret && value !== null ? hidden : value;
}

function shortened(text: string): string {
  return text.length > maxString
    ? `${withoutSecrets(text.slice(0, maxString))}… (${text.length} characters)`
    : withoutSecrets(text);
}
