import { asString, isObject, type JsonObject } from '../../util/json';
import { findSecretName, isSecretArgument } from '../../util/secrets/secretNames';
import { isSecretMember } from '../../util/secrets/secretText';
import { hidden } from '../../util/secrets/spans';

/** How a message is written down without secrets. */
export interface RedactionRules {
  /**
   * A string that may be written. `key`: the member that holds it, also as an item of its list; `owner`: the member that
   * holds that object.
   */
  text(value: string, key: string, owner: string): string;
  /** The output of a terminal, bytes in base64, in which no secret can be seen (V2-TERM-3). */
  bytes(data: string): string;
  /** The name of a member as it may be written: agents choose those of a tool's input. */
  name(key: string): string;
  /**
   * The members of `_meta` whose texts may be written; numbers and booleans in it may, too. Without it, nothing in
   * `_meta` may.
   */
  readonly meta?: ReadonlySet<string>;
  /** Maximum number of items of a list, and of members of an object. */
  readonly maxItems: number;
  /** Maximum number of values of a message. */
  readonly maxValues: number;
  /** JSON may be nested more deeply than the stack allows. */
  readonly maxDepth: number;
}

/**
 * Everything below these keys may be a secret (T-35, MCP-7), or is nobody else's business (V2-AUTH-8): names are kept,
 * values are replaced. Tools spell them in any way.
 */
const secretKeys =
  /^(?:env(?:ironment)?(?:[_-]?var(?:iable)?s)?|headers|args|url|accounts?|authStatus)$/i;
const metaKey = '_meta';

/**
 * Members of params or results that hold the user's data: the text of a file, the output of a
 * command, the values of a form, also as Grok takes them, the user's system prompt (T-35, EL-17), what a server of ours
 * answers by `mcp/message`.
 */
const privateKeys: ReadonlySet<string> = new Set([
  ...['content', 'output', 'answers', 'annotations', 'systemPrompt', 'result'],
]);

/** What may be written at a place in a message. */
type Openness = 'open' | 'meta' | 'secret';

/** The message without secrets and without the user's data, according to the rules. */
export function redacted(message: unknown, rules: RedactionRules): unknown {
  const shown = isObject(message) ? withoutPrivate(message) : message;
  const left = { values: rules.maxValues };
  return redact(shown, rules, { openness: 'open', key: '', owner: '', depth: 0, left });
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

interface Place {
  readonly openness: Openness;
  readonly key: string;
  readonly owner: string;
  readonly depth: number;
  /** What may still be written of the message. */
  readonly left: { values: number };
}

function redact(value: unknown, rules: RedactionRules, place: Place): unknown {
  place.left.values--;
  if (place.depth > rules.maxDepth) {
    return '…';
  }
  if (typeof value === 'string') {
    return mayBeWritten(rules, place) ? rules.text(value, place.key, place.owner) : hidden;
  }
  if (Array.isArray(value)) {
    return redactItems(value, rules, place);
  }
  if (isObject(value)) {
    return redactMembers(value, rules, place);
  }
  return place.openness === 'secret' && value !== null ? hidden : value;
}

function mayBeWritten({ meta }: RedactionRules, { openness, key }: Place): boolean {
  return openness === 'open' || (openness === 'meta' && meta?.has(key) === true);
}

function redactItems(items: readonly unknown[], rules: RedactionRules, place: Place): unknown {
  const depth = place.depth + 1;
  const kept: unknown[] = [];
  for (const [at, item] of items.entries()) {
    if (at === rules.maxItems || place.left.values <= 0) {
      kept.push(`… (${items.length} items)`);
      break;
    }
    const openness = isSecretArgument(items, at) ? 'secret' : place.openness;
    kept.push(redact(item, rules, { ...place, openness, depth }));
  }
  return kept;
}

function redactMembers(value: JsonObject, rules: RedactionRules, place: Place): unknown {
  const { openness, left } = place;
  const depth = place.depth + 1;
  const name = asString(value['name']) ?? asString(value['key']);
  // In a list of `{ name, value }` pairs, the name only identifies the secret.
  const isPair = openness === 'secret' && typeof value['name'] === 'string' && 'value' in value;
  const members = Object.entries(value);
  const kept: [string, unknown][] = [];
  for (const [key, item] of members) {
    if (kept.length === rules.maxItems || left.values <= 0) {
      kept.push(['…', `${members.length} members`]);
      break;
    }
    const isSecret = isSecretBelow(key === 'value' && name !== undefined ? name : key, item);
    const above = isSecret ? 'secret' : openness;
    const below = isPair && key === 'name' ? 'open' : getOpenness(key, above, rules);
    const shown = isTerminalData(value, key, item)
      ? redactOutput(item, rules, below)
      : redact(item, rules, { openness: below, key, owner: place.key, depth, left });
    kept.push([rules.name(key), shown]);
  }
  return Object.fromEntries(kept);
}

/** Whether a value is a secret by its name, or may have one anywhere in it. */
function isSecretBelow(name: string, value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? findSecretName(name) === 'sure'
    : isSecretMember(name, value);
}

/** Whether a member of an update is the output of a terminal that the agent runs itself, whole or a chunk of it. */
function isTerminalData(
  { sessionUpdate }: JsonObject,
  key: string,
  item: unknown,
): item is string | JsonObject {
  return sessionUpdate === 'terminal_output_chunk'
    ? key === 'data' && typeof item === 'string'
    : sessionUpdate === 'terminal_update' && key === 'output' && isObject(item);
}

function redactOutput(
  item: string | JsonObject,
  rules: RedactionRules,
  openness: Openness,
): unknown {
  if (openness !== 'open') {
    return hidden;
  }
  if (typeof item === 'string') {
    return rules.bytes(item);
  }
  const { data } = item;
  return { data: typeof data === 'string' ? rules.bytes(data) : hidden };
}

function getOpenness(key: string, above: Openness, { meta }: RedactionRules): Openness {
  if (above === 'secret' || secretKeys.test(key)) {
    return 'secret';
  }
  if (key === metaKey) {
    return meta === undefined ? 'secret' : 'meta';
  }
  return above;
}
