import { asArray, asString, isObject, type JsonObject } from '../../util/json';
import type { AuthMethod } from '../agentConnection';
import { keyVariables } from '../apiKeyVariables';
import { boundedTitle, maxId } from '../bounds';
import { titleIn } from './normaliseContent';

/** Maximum number of login methods: no user chooses from more. */
const maxMethods = 50;

/** What a login method of every kind has. */
export type Named = Pick<AuthMethod, 'id' | 'name' | 'description'>;

/**
 * The login methods that can be offered (AUTH-1, AUTH-9, AUTH-14). Broken entries are left out, and so are those for a
 * terminal unless this client has advertised that it supports them. `idKey` names the member that has the id; `read`
 * adds what the method's kind has.
 */
export function readAuthMethodsBy(
  value: unknown,
  authTerminal: boolean,
  idKey: string,
  read: (method: Named, value: JsonObject) => AuthMethod | undefined,
): readonly AuthMethod[] {
  return asArray(value)
    .slice(0, maxMethods)
    .map((item) => {
      const method = isObject(item) ? readNamed(item, idKey) : undefined;
      return isObject(item) && method ? read(method, item) : undefined;
    })
    .filter((method) => method !== undefined)
    .filter((method) => authTerminal || method.type !== 'terminal');
}

function readNamed(value: JsonObject, idKey: string): Named | undefined {
  const id = asString(value[idKey]);
  const name = titleIn(value, 'name');
  if (!id || id.length > maxId || name === undefined) {
    return undefined;
  }
  const description = titleIn(value, 'description');
  return { id, name: name || boundedTitle(id), ...(description && { description }) };
}

/** A method of the agent's own, which may need a key that `_meta` names. */
export function agentsOwn(method: Named, meta: unknown): AuthMethod {
  const key = isObject(meta) ? meta['api-key'] : undefined;
  const variable = isObject(key) ? keyVariables.get(key['provider']) : undefined;
  return variable === undefined
    ? { ...method, type: 'agent' }
    : { ...method, type: 'apiKey', variable };
}

export function isAbsentOr<T>(
  value: unknown,
  test: (value: unknown) => value is T,
): value is T | undefined | null {
  return value === undefined || value === null || test(value);
}

export function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
