import { asArray, asString, isObject, type JsonObject } from '../util/json';
import type { AuthMethod } from './agentConnection';
import { boundedTitle, maxId } from './bounds';
import { titleIn } from './normaliseContent';

/** More ways to log in than anybody chooses from. */
const maxMethods = 50;

/** In which variable agents look for a provider's key. */
const keyVariables: ReadonlyMap<unknown, string> = new Map([
  ['openai', 'OPENAI_API_KEY'],
  ['google', 'GEMINI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
]);

/** All variables that a login with a key can set. */
export const apiKeyVariables: readonly string[] = [...keyVariables.values()];

type Named = Pick<AuthMethod, 'id' | 'name' | 'description'>;

/**
 * The ways to log in that can be offered (AUTH-1, AUTH-9, AUTH-14): broken entries are left out, and
 * those for a terminal, too, unless we have said that we take them.
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

/** What agents say of a method in `_meta` only; the agent's own when that is nothing that we know. */
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

/** Never taken for one of the agent's own when it is broken: that would be sent to the agent (AUTH-2). */
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
