import { asArray, asString, isObject, type JsonObject } from '../../util/json';
import type { AuthMethod } from '../agentConnection';
import { keyVariables } from '../apiKeyVariables';
import { boundedTitle, maxId } from '../bounds';
import { titleIn } from '../shapes/normaliseContent';

/** More login methods than any user chooses from. */
const maxMethods = 50;

type Named = Pick<AuthMethod, 'id' | 'name' | 'description'>;

/**
 * The login methods that can be offered (AUTH-1, AUTH-9, AUTH-14). Broken entries are left out, and so are those for a
 * terminal unless this client has advertised that it supports them.
 */
export function readAuthMethods(value: unknown, authTerminal: boolean): readonly AuthMethod[] {
  return asArray(value)
    .slice(0, maxMethods)
    .map(readAuthMethod)
    .filter((method) => method !== undefined)
    .filter((method) => authTerminal || method.type !== 'terminal');
}

function readAuthMethod(value: unknown): AuthMethod | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const id = asString(value['id']);
  const name = titleIn(value, 'name');
  if (!id || id.length > maxId || name === undefined) {
    return undefined;
  }
  const description = titleIn(value, 'description');
  const method = { id, name: name || boundedTitle(id), ...(description && { description }) };
  return value['type'] === 'terminal' ? inTerminal(method, value) : byMeta(method, value['_meta']);
}

/** A method that is described in `_meta`; an `agent` method if nothing in there is known. */
function byMeta(method: Named, meta: unknown): AuthMethod | undefined {
  const agentsOwn: AuthMethod = { ...method, type: 'agent' };
  if (!isObject(meta)) {
    return agentsOwn;
  }
  if (meta['type'] === 'terminal') {
    return inTerminal(method, meta);
  }
  const { 'terminal-auth': terminal, 'api-key': key } = meta;
  if (isObject(terminal)) {
    const login = inTerminal(method, terminal);
    const command = asString(terminal['command']);
    return login && command ? { ...login, command } : undefined;
  }
  const variable = isObject(key) ? keyVariables.get(key['provider']) : undefined;
  return variable === undefined ? agentsOwn : { ...method, type: 'apiKey', variable };
}

/** A broken terminal method never becomes an `agent` method, which would be sent to the agent (AUTH-2). */
function inTerminal(
  method: Named,
  { args, env }: JsonObject,
): Extract<AuthMethod, { type: 'terminal' }> | undefined {
  return isAbsentOr(args, isListOfStrings) && isAbsentOr(env, isRecordOfStrings)
    ? { ...method, type: 'terminal', args: args ?? [], env: env ?? {} }
    : undefined;
}

function isAbsentOr<T>(
  value: unknown,
  test: (value: unknown) => value is T,
): value is T | undefined | null {
  return value === undefined || value === null || test(value);
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isRecordOfStrings(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string');
}
