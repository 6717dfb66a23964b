import { asString, isObject, type JsonObject } from '../../util/json';
import type { AuthMethod } from '../agentConnection';
import {
  agentsOwn,
  isAbsentOr,
  isListOfStrings,
  type Named,
  readAuthMethodsBy,
} from '../shapes/commonAuthMethods';

/** See `readAuthMethodsBy`. */
export function readAuthMethods(value: unknown, authTerminal: boolean): readonly AuthMethod[] {
  return readAuthMethodsBy(value, authTerminal, 'id', (method, item) =>
    item['type'] === 'terminal' ? inTerminal(method, item) : byMeta(method, item['_meta']),
  );
}

/** A method that is described in `_meta`; an `agent` method if nothing in there is known. */
function byMeta(method: Named, meta: unknown): AuthMethod | undefined {
  if (!isObject(meta)) {
    return agentsOwn(method, meta);
  }
  if (meta['type'] === 'terminal') {
    return inTerminal(method, meta);
  }
  const { 'terminal-auth': terminal } = meta;
  if (isObject(terminal)) {
    const login = inTerminal(method, terminal);
    const command = asString(terminal['command']);
    return login && command ? { ...login, command } : undefined;
  }
  return agentsOwn(method, meta);
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

function isRecordOfStrings(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string');
}
