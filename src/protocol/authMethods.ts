import { asArray, asString, isObject } from '../util/json';
import type { AuthMethod } from './agentConnection';
import { boundedTitle, maxId } from './bounds';
import { titleIn } from './normaliseContent';

/** More ways to log in than anybody chooses from. */
const maxMethods = 50;

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
  if (value['type'] !== 'terminal') {
    return { ...method, type: 'agent' };
  }
  // Never taken for one of the agent's own when it is broken: that would be sent to the agent (AUTH-2).
  const { args, env } = value;
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
